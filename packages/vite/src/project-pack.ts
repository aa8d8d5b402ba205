import type { ListedFile, ProjectListing } from './project-protocol.js';

/** Bytes of the listing's length, at the start. */
const LENGTH_BYTES = 4;

/** A file, and what is in it, unless that was too much for the pack. */
export interface PackedFile {
  readonly listed: ListedFile;
  readonly bytes?: Uint8Array | undefined;
}

/** A project in one block. */
export interface ProjectPack {
  readonly files: readonly PackedFile[];
  readonly watch: boolean;
}

/** The listing at the start of a block. */
interface PackHead extends ProjectListing {
  /** Indices of the files whose bytes follow. */
  readonly holds: readonly number[];
}

/**
 * A project as one block: length of the listing (32 bits, little endian), the listing as JSON, then the bytes of the files that have
 * theirs. O(bytes).
 */
export function packProject({ files, watch }: ProjectPack): Uint8Array<ArrayBuffer> {
  const held = files.flatMap(({ bytes }, i) => (bytes ? [{ i, bytes }] : []));
  const listed = files.map((file) => file.listed);
  const content: PackHead = { files: listed, watch, holds: held.map(({ i }) => i) };
  const head = new TextEncoder().encode(JSON.stringify(content));
  const length = held.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const pack = new Uint8Array(LENGTH_BYTES + head.length + length);
  new DataView(pack.buffer).setUint32(0, head.length, true);
  pack.set(head, LENGTH_BYTES);
  let at = LENGTH_BYTES + head.length;
  for (const { bytes } of held) {
    pack.set(bytes, at);
    at += bytes.length;
  }
  return pack;
}

/**
 * Takes apart what {@link packProject} made; bytes are views of `pack`.
 *
 * @throws Error when it has more or fewer bytes than its listing says
 */
export function unpackProject(pack: Uint8Array): ProjectPack {
  const { buffer, byteOffset, byteLength } = pack;
  if (byteLength < LENGTH_BYTES) throw new Error(`A pack of ${byteLength} bytes has no listing`);
  let at = LENGTH_BYTES + new DataView(buffer, byteOffset, byteLength).getUint32(0, true);
  if (at > byteLength) throw otherLength(byteLength, at);
  const head = new TextDecoder().decode(pack.subarray(LENGTH_BYTES, at));
  const { files: listing, watch, holds } = JSON.parse(head) as PackHead;
  const held = new Set(holds);
  const files = listing.map((listed, i): PackedFile => {
    return held.has(i) ? { listed, bytes: pack.subarray(at, (at += listed.size)) } : { listed };
  });
  if (at !== byteLength) throw otherLength(byteLength, at);
  return { files, watch };
}

function otherLength(length: number, wanted: number): Error {
  return new Error(`A pack of ${length} bytes should have ${wanted}`);
}
