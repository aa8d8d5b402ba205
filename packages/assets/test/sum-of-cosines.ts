/** The values of 8 × 8 coefficients of the orthonormal cosine transform, by its definition. */
export function sumOfCosines(coefficients: readonly number[]): number[] {
  const weight = (k: number): number => (k === 0 ? Math.SQRT1_2 : 1) / 2;
  const cosine = (k: number, at: number): number => Math.cos(((2 * at + 1) * k * Math.PI) / 16);
  return coefficients.map((_, place) => {
    let sum = 0;
    coefficients.forEach((coefficient, i) => {
      const [u, v] = [i % 8, Math.floor(i / 8)];
      if (coefficient === 0) return;
      sum +=
        coefficient *
        (weight(u) * weight(v) * cosine(u, place % 8) * cosine(v, Math.floor(place / 8)));
    });
    return sum;
  });
}
