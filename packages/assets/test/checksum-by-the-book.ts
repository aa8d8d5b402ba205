/** A checksum as `docs/assets.md` writes it down, word by word and without wrapping integers. */
export function checksumByTheBook(bytes: Uint8Array, seed: number, laneCount: number): number {
  const step = (lane: bigint, word: bigint): bigint => {
    const product = ((lane ^ word) * 0x9e37_79b1n) & 0xffff_ffffn;
    return product ^ (product >> 15n);
  };
  const lanes = Array.from({ length: laneCount }, (_, i) => BigInt.asUintN(32, BigInt(seed + i)));
  const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  for (let i = 0; i < padded.length / 4; i++) {
    const lane = i % laneCount;
    lanes[lane] = step(lanes[lane] ?? 0n, BigInt(view.getUint32(i * 4, true)));
  }
  return Number(lanes.reduce(step, BigInt(bytes.length)));
}
