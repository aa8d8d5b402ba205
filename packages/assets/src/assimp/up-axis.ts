/** Global settings come at the start of a file. */
const SEARCHED_BYTES = 2 ** 16;
/** A property as binary FBX has it, up to its 32-bit value. */
const BINARY = 'S\x06\0\0\0UpAxisS\x03\0\0\0intS\x07\0\0\0IntegerS\0\0\0\0I';
const Z = 2;

/** Whether an FBX says that its Z axis points up. False for other files. */
export function isZUp(bytes: Uint8Array): boolean {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, SEARCHED_BYTES));
  const at = head.indexOf(BINARY);
  if (at >= 0) return bytes[at + BINARY.length] === Z;
  const text = /^\s*P: "UpAxis", "int", "Integer", "",\s*(\d+)/m.exec(head);
  return text !== null && Number(text[1]) === Z;
}

/**
 * Turns the scene of a glTF so that Y is up, as glTF has it, where Z was.
 *
 * @param json - of a glTF that Assimp made of one scene with one root, changed in place
 */
export function turnUpright(json: Record<string, unknown>): void {
  const { nodes = [], scenes = [] } = json as {
    nodes?: Record<string, unknown>[];
    scenes?: { nodes?: number[] }[];
  };
  const rotation = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
  for (const scene of scenes) {
    scene.nodes = (scene.nodes ?? []).map((root) => {
      const node = nodes[root];
      const isPlaced = ['matrix', 'translation', 'rotation', 'scale'].some(
        (key) => node && key in node,
      );
      if (!isPlaced && node) {
        node['rotation'] = rotation;
        return root;
      }
      return nodes.push({ name: 'Upright', rotation, children: [root] }) - 1;
    });
  }
}
