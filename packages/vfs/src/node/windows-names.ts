const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** Why Windows can't store a file of this name, or `undefined` where it can. */
export function windowsNameProblem(name: string): string | undefined {
  if (RESERVED.test(name)) return 'is a device name';
  if (/[<>"|?*]/.test(name)) return 'holds one of < > " | ? *';
  if (/[. ]$/.test(name)) return 'ends with a dot or a space';
  return undefined;
}
