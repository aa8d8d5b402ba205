import type {
  InspectorClient,
  MethodName,
  ParamsOf,
  ResultOf,
} from '@ecliptic/authoring/inspector';
import { useEffect, useState } from 'preact/hooks';

/**
 * The latest answer to a question that is asked again and again; `undefined` until there is one, and when asking has failed.
 *
 * @param params - compared by value
 */
export function useLive<M extends MethodName>(
  client: InspectorClient,
  method: M,
  params: ParamsOf<M>,
): ResultOf<M> | undefined {
  const [result, setResult] = useState<ResultOf<M>>();
  const key = JSON.stringify(params);
  useEffect(() => {
    setResult(undefined);
    let isWanted = true;
    const subscribed = client.subscribe(
      method,
      params,
      (update) => {
        if (isWanted) setResult(update);
      },
      { onError: () => setResult(undefined) },
    );
    return () => {
      isWanted = false;
      // Whether it can still be ended is no matter of the view: with the connection it ends by itself.
      void subscribed.then((end) => end()).catch(() => undefined);
    };
  }, [client, method, key]);
  return result;
}
