/** log2 of the rows whose changes are marked together. */
export const CHUNK_SHIFT = 8;

/** Raises the version of a row's chunk to at least `version`. */
export function raise(chunks: Float64Array, row: number, version: number): void {
  const chunk = row >> CHUNK_SHIFT;
  if ((chunks[chunk] as number) < version) chunks[chunk] = version;
}

/** Chunks that so many rows are in; one at least. */
export const chunksOf = (rows: number): number => Math.max(1, ((rows - 1) >> CHUNK_SHIFT) + 1);

/** Rows changed places among themselves: their chunks take the highest of their versions. */
export function level(chunks: Float64Array, from: number, to: number): void {
  const first = from >> CHUNK_SHIFT;
  const end = chunksOf(to);
  let highest = 0;
  for (let chunk = first; chunk < end; chunk++)
    highest = Math.max(highest, chunks[chunk] as number);
  chunks.fill(highest, first, end);
}

/** Rows moved by one: those that crossed into a chunk bring their version along. */
export function spread(chunks: Float64Array, from: number, to: number, rows: number): void {
  const first = Math.min(from, to) >> CHUNK_SHIFT;
  const last = (Math.max(from, to) + rows - 1) >> CHUNK_SHIFT;
  if (to > from) {
    for (let chunk = last; chunk > first; chunk--) {
      raise(chunks, chunk << CHUNK_SHIFT, chunks[chunk - 1] as number);
    }
  } else {
    for (let chunk = first; chunk < last; chunk++) {
      raise(chunks, chunk << CHUNK_SHIFT, chunks[chunk + 1] as number);
    }
  }
}
