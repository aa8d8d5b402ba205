/** A linear colour as browsers write it; brighter than white is white. */
export function toHex(color: readonly number[]): string {
  const hex = (linear: number): string => {
    const part = Math.min(1, Math.max(0, linear));
    const encoded = part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${color.slice(0, 3).map(hex).join('')}`;
}

/** A linear colour of what browsers write. */
export function fromHex(text: string, alpha: number): number[] {
  const linear = (at: number): number => {
    const part = Number.parseInt(text.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return [linear(1), linear(3), linear(5), alpha];
}
