import type { InspectorClient } from '@ecliptic/authoring/inspector';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLive } from './use-live.js';

const PAGE = 100;

/** The assets with their states, a page at a time, and how imports go. */
export function AssetList({ client }: { readonly client: InspectorClient }): JSX.Element {
  const [offset, setOffset] = useState(0);
  const page = useLive(client, 'assets.list', { offset, limit: PAGE });
  const { total, completed, failed } = page?.imports ?? { total: 0, completed: 0, failed: 0 };
  const count = page?.total ?? 0;
  return (
    <section aria-label="Assets">
      {total > 0 && (
        <label>
          Imports: {completed} of {total}, {failed} failed
          <progress max={total} value={completed + failed} />
        </label>
      )}
      <table>
        <tbody>
          {page?.assets.map(({ uuid, type, path, key, state }) => (
            <tr key={uuid} title={uuid}>
              <td>{state}</td>
              <td>{type}</td>
              <td>
                {path}
                {key === '' ? '' : `#${key}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {count > PAGE && (
        <nav aria-label="Pages">
          <button type="button" disabled={offset === 0} onClick={() => setOffset(offset - PAGE)}>
            ‹
          </button>
          {offset + 1}–{Math.min(offset + PAGE, count)} of {count}
          <button
            type="button"
            disabled={offset + PAGE >= count}
            onClick={() => setOffset(offset + PAGE)}
          >
            ›
          </button>
        </nav>
      )}
    </section>
  );
}
