import {
  Align,
  Display,
  Edge,
  FlexDirection,
  Gutter,
  Justify,
  PositionType,
  Wrap,
  type Node,
} from 'yoga-layout/load';
import type { BoxLayout, BoxLook, Length } from './box-style.js';

const DIRECTIONS = {
  row: FlexDirection.Row,
  column: FlexDirection.Column,
  'row-reverse': FlexDirection.RowReverse,
  'column-reverse': FlexDirection.ColumnReverse,
} as const;

const JUSTIFY = {
  start: Justify.FlexStart,
  center: Justify.Center,
  end: Justify.FlexEnd,
  'space-between': Justify.SpaceBetween,
  'space-around': Justify.SpaceAround,
  'space-evenly': Justify.SpaceEvenly,
} as const;

const ALIGN = {
  auto: Align.Auto,
  start: Align.FlexStart,
  center: Align.Center,
  end: Align.FlexEnd,
  stretch: Align.Stretch,
} as const;

const SIDES = [Edge.Top, Edge.Right, Edge.Bottom, Edge.Left] as const;

/** Tells the layout engine what a box's options say. Every option is set, so what was left out is at its default. */
export function applyLayout(node: Node, options: BoxLayout & BoxLook): void {
  node.setFlexDirection(DIRECTIONS[options.direction ?? 'column']);
  node.setJustifyContent(JUSTIFY[options.justify ?? 'start']);
  node.setAlignItems(ALIGN[options.align ?? 'stretch']);
  node.setAlignSelf(ALIGN[options.alignSelf ?? 'auto']);
  node.setFlexWrap(options.wrap === true ? Wrap.Wrap : Wrap.NoWrap);
  node.setFlexGrow(options.grow ?? 0);
  node.setFlexShrink(options.shrink ?? 0);
  node.setFlexBasis(options.basis ?? 'auto');
  node.setWidth(options.width ?? 'auto');
  node.setHeight(options.height ?? 'auto');
  node.setMinWidth(options.minWidth);
  node.setMinHeight(options.minHeight);
  node.setMaxWidth(options.maxWidth);
  node.setMaxHeight(options.maxHeight);
  node.setGap(Gutter.All, options.gap);
  node.setBorder(Edge.All, options.borderWidth ?? 0);
  node.setDisplay(options.hidden === true ? Display.None : Display.Flex);
  node.setPositionType(
    options.position === 'absolute' ? PositionType.Absolute : PositionType.Relative,
  );
  node.setPosition(Edge.Left, options.left);
  node.setPosition(Edge.Top, options.top);
  node.setPosition(Edge.Right, options.right);
  node.setPosition(Edge.Bottom, options.bottom);
  const margin = sides(options.margin);
  const padding = sides(options.padding);
  for (const [i, side] of SIDES.entries()) {
    node.setMargin(side, margin[i]);
    node.setPadding(side, padding[i]);
  }
}

/** Top, right, bottom, left. */
function sides(value: Length | readonly [Length, Length, Length, Length] = 0): readonly Length[] {
  return typeof value === 'object' ? value : [value, value, value, value];
}
