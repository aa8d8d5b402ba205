/** Is told about something. */
export type Observer<Subject> = (subject: Subject) => void;

/**
 * Adds an observer to a list, which is replaced, not changed, so that observers may subscribe.
 *
 * @returns takes it out again
 */
export function subscribe<Key extends string, Subject>(
  lists: Record<Key, readonly Observer<Subject>[]>,
  key: Key,
  callback: Observer<Subject>,
): () => void {
  // A function of its own, so that one callback may be subscribed twice.
  const observer = (subject: Subject): void => callback(subject);
  lists[key] = [...lists[key], observer];
  return () => {
    lists[key] = lists[key].filter((each) => each !== observer);
  };
}
