/**
 * Rewrites the JSON of a GLB that was made by a trusted converter.
 *
 * @param change - edits the parsed JSON in place
 */
export async function rewriteGlb(
  glb: Uint8Array,
  change: (json: Record<string, unknown>) => Promise<void>,
): Promise<Uint8Array> {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const jsonLength = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + jsonLength))) as Record<
    string,
    unknown
  >;
  await change(json);
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = Math.ceil(text.byteLength / 4) * 4;
  const rest = glb.subarray(20 + jsonLength);
  const result = new Uint8Array(20 + padded + rest.byteLength).fill(0x20, 20, 20 + padded);
  result.set(glb.subarray(0, 20));
  result.set(text, 20);
  result.set(rest, 20 + padded);
  const header = new DataView(result.buffer);
  header.setUint32(8, result.byteLength, true);
  header.setUint32(12, padded, true);
  return result;
}
