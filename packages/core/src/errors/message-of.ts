/** The message of anything that was thrown: for sentences that quote it. Pass the thing itself on as `cause`. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
