import { CompositeView, type View } from './view.js';

/** The two numbers of a vec2 field. Writes go to the column. */
export class Vec2View extends CompositeView {
  declare $array: Float32Array;

  get x(): number {
    return this.$array[this.$cursor.row * 2] as number;
  }
  set x(value: number) {
    this.$array[this.$cursor.row * 2] = value;
  }
  get y(): number {
    return this.$array[this.$cursor.row * 2 + 1] as number;
  }
  set y(value: number) {
    this.$array[this.$cursor.row * 2 + 1] = value;
  }

  /** Writes all 2. */
  set(x: number, y: number): void {
    const array = this.$array;
    const at = this.$cursor.row * 2;
    array[at] = x;
    array[at + 1] = y;
  }

  /** A copy, as a plain array. */
  toArray(): [number, number] {
    return [this.x, this.y];
  }
}

/** The three numbers of a vec3 field. Writes go to the column. */
export class Vec3View extends CompositeView {
  declare $array: Float32Array;

  get x(): number {
    return this.$array[this.$cursor.row * 3] as number;
  }
  set x(value: number) {
    this.$array[this.$cursor.row * 3] = value;
  }
  get y(): number {
    return this.$array[this.$cursor.row * 3 + 1] as number;
  }
  set y(value: number) {
    this.$array[this.$cursor.row * 3 + 1] = value;
  }
  get z(): number {
    return this.$array[this.$cursor.row * 3 + 2] as number;
  }
  set z(value: number) {
    this.$array[this.$cursor.row * 3 + 2] = value;
  }

  /** Writes all 3. */
  set(x: number, y: number, z: number): void {
    const array = this.$array;
    const at = this.$cursor.row * 3;
    array[at] = x;
    array[at + 1] = y;
    array[at + 2] = z;
  }

  /** A copy, as a plain array. */
  toArray(): [number, number, number] {
    return [this.x, this.y, this.z];
  }
}

/** The four numbers of a vec4 field. Writes go to the column. */
export class Vec4View extends CompositeView {
  declare $array: Float32Array;

  get x(): number {
    return this.$array[this.$cursor.row * 4] as number;
  }
  set x(value: number) {
    this.$array[this.$cursor.row * 4] = value;
  }
  get y(): number {
    return this.$array[this.$cursor.row * 4 + 1] as number;
  }
  set y(value: number) {
    this.$array[this.$cursor.row * 4 + 1] = value;
  }
  get z(): number {
    return this.$array[this.$cursor.row * 4 + 2] as number;
  }
  set z(value: number) {
    this.$array[this.$cursor.row * 4 + 2] = value;
  }
  get w(): number {
    return this.$array[this.$cursor.row * 4 + 3] as number;
  }
  set w(value: number) {
    this.$array[this.$cursor.row * 4 + 3] = value;
  }

  /** Writes all 4. */
  set(x: number, y: number, z: number, w: number): void {
    const array = this.$array;
    const at = this.$cursor.row * 4;
    array[at] = x;
    array[at + 1] = y;
    array[at + 2] = z;
    array[at + 3] = w;
  }

  /** A copy, as a plain array. */
  toArray(): [number, number, number, number] {
    return [this.x, this.y, this.z, this.w];
  }
}

/** The rotation of a quat field. Writes go to the column and are not normalised. */
export class QuatView extends Vec4View {}

/** The linear colour of a color field. Writes go to the column. */
export class ColorView extends CompositeView {
  declare $array: Float32Array;

  get r(): number {
    return this.$array[this.$cursor.row * 4] as number;
  }
  set r(value: number) {
    this.$array[this.$cursor.row * 4] = value;
  }
  get g(): number {
    return this.$array[this.$cursor.row * 4 + 1] as number;
  }
  set g(value: number) {
    this.$array[this.$cursor.row * 4 + 1] = value;
  }
  get b(): number {
    return this.$array[this.$cursor.row * 4 + 2] as number;
  }
  set b(value: number) {
    this.$array[this.$cursor.row * 4 + 2] = value;
  }
  get a(): number {
    return this.$array[this.$cursor.row * 4 + 3] as number;
  }
  set a(value: number) {
    this.$array[this.$cursor.row * 4 + 3] = value;
  }

  /** Writes all 4. */
  set(r: number, g: number, b: number, a: number): void {
    const array = this.$array;
    const at = this.$cursor.row * 4;
    array[at] = r;
    array[at + 1] = g;
    array[at + 2] = b;
    array[at + 3] = a;
  }

  /** A copy, as a plain array. */
  toArray(): [number, number, number, number] {
    return [this.r, this.g, this.b, this.a];
  }
}

/** The numbers of a matrix or fixed-array field. Writes go to the column. */
export class ArrayView extends CompositeView {
  declare $array: { [index: number]: number };
  readonly $length: number;

  constructor(view: View, slot: number, stride: number) {
    super(view, slot);
    this.$length = stride;
  }

  get length(): number {
    return this.$length;
  }

  /** Element `index`, or `undefined` beyond the ends. */
  at(index: number): number | undefined {
    return index >= 0 && index < this.$length
      ? this.$array[this.$cursor.row * this.$length + index]
      : undefined;
  }

  /** Writes from `index` on: one number, or as many as `values` has and fit. */
  set(index: number, values: number | ArrayLike<number>): void {
    const at = this.$cursor.row * this.$length;
    const list = typeof values === 'number' ? [values] : values;
    for (let i = 0; i < list.length && index + i < this.$length; i++) {
      if (index + i >= 0) this.$array[at + index + i] = list[i] ?? 0;
    }
  }

  /** A copy, as a plain array. */
  toArray(): number[] {
    const at = this.$cursor.row * this.$length;
    return Array.from({ length: this.$length }, (_, i) => this.$array[at + i] ?? 0);
  }
}
