/** A length in logical pixels, or a part of the parent's. */
export type Length = number | `${number}%`;

/** Linear red, green, blue, and alpha, 0 to 1; not premultiplied. */
export type OverlayColor = readonly [number, number, number, number];

/** Where a box is among its siblings and how large: flexbox, with the defaults of React Native (`column`, no shrinking). */
export interface BoxLayout {
  readonly direction?: 'row' | 'column' | 'row-reverse' | 'column-reverse';
  readonly justify?: 'start' | 'center' | 'end' | 'space-between' | 'space-around' | 'space-evenly';
  /** Of its children, across the direction. Default `stretch`. */
  readonly align?: 'start' | 'center' | 'end' | 'stretch';
  /** Of itself, instead of what the parent says. */
  readonly alignSelf?: 'auto' | 'start' | 'center' | 'end' | 'stretch';
  readonly wrap?: boolean;
  readonly grow?: number;
  readonly shrink?: number;
  readonly basis?: Length | 'auto';
  readonly width?: Length | 'auto';
  readonly height?: Length | 'auto';
  readonly minWidth?: Length;
  readonly minHeight?: Length;
  readonly maxWidth?: Length;
  readonly maxHeight?: Length;
  /** On all sides, or top, right, bottom, left. */
  readonly margin?: Length | readonly [Length, Length, Length, Length];
  readonly padding?: Length | readonly [Length, Length, Length, Length];
  /** Between children. */
  readonly gap?: Length;
  /** `absolute`: out of the flow, placed by `left`, `top`, `right` and `bottom`. */
  readonly position?: 'relative' | 'absolute';
  readonly left?: Length;
  readonly top?: Length;
  readonly right?: Length;
  readonly bottom?: Length;
}

/** How a box looks. Only drawn again when it changes, never laid out again. */
export interface BoxLook {
  readonly background?: OverlayColor;
  /** Instead of `background` while the pointer is over it. */
  readonly hoverBackground?: OverlayColor;
  /** Instead of `background` while it is pressed. */
  readonly pressedBackground?: OverlayColor;
  readonly borderColor?: OverlayColor;
  /** Instead of `borderColor` while it has the keyboard. */
  readonly focusBorderColor?: OverlayColor;
  /** Logical pixels; it takes room inside the box. */
  readonly borderWidth?: number;
  /** Logical pixels. */
  readonly cornerRadius?: number;
  /** Cuts off what sticks out of it. */
  readonly clip?: boolean;
  /** Neither laid out nor drawn, with all below it. */
  readonly hidden?: boolean;
}

/** Text of a box, which then has no children. */
export interface BoxText {
  /** Shown inside the padding; lines end at line feeds. See {@link OverlayFont} for its characters. */
  readonly text?: string;
  /** Logical pixels an em. Default 16. */
  readonly fontSize?: number;
  /** Default white. */
  readonly textColor?: OverlayColor;
  readonly textAlign?: 'start' | 'center' | 'end';
  /** Breaks lines that are wider than the box. Default true. */
  readonly wrapText?: boolean;
}

/** What a box does. */
export interface BoxBehaviour {
  /** Pressed and released over it, or Enter or Space while it has the keyboard. Makes it interactive. */
  readonly onPress?: () => void;
  /** The pointer came (true) or went. Makes it interactive. */
  readonly onHover?: (over: boolean) => void;
  /** A key went down while it has the keyboard: its name, as `ArrowLeft` or `a`. Makes it focusable. */
  readonly onKey?: (key: string) => void;
  /** It got (true) or lost the keyboard. */
  readonly onFocus?: (has: boolean) => void;
  /** Can have the keyboard. Default: whether it has `onKey` or `onPress`. */
  readonly focusable?: boolean;
  /** Keeps the pointer from what is under it. Default: whether it has a handler. */
  readonly interactive?: boolean;
}

/** All that can be said of a box. */
export interface BoxOptions extends BoxLayout, BoxLook, BoxText, BoxBehaviour {
  /** For inspection, and {@link Overlay.find}. */
  readonly id?: string;
}
