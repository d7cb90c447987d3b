// A diagram as a self-contained SVG file that runs nothing: shapes and texts with attributes, no style, no script, no link.
import { visibleText } from '#shared/visible-text.ts';
import { attributes, escapeXml, svgNumber as number } from '../../../workbench/pictures/svg-text.ts';
import type { MeasureText } from '../graph.ts';
import { boundsOf, grown, routeBox, type Box } from '../geometry.ts';
import type { Placement } from '../placement.ts';
import { edgeShapes, tableShapes, type Ink, type Shape } from '../scene.ts';

const MARGIN = 24;
const FONTS = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";

export type Colors = (ink: Ink) => string;

export const PAPER: Readonly<Record<Ink, string>> = {
  bg: '#fff',
  panel: '#f3f3f3',
  raise: '#ececec',
  line: '#ccc',
  'line-strong': '#888',
  text: '#000',
  dim: '#444',
  faint: '#666',
  'accent-text': '#0b57d0',
  warn: '#8a5300',
};

export const pictureBox = ({ nodes, edges }: Placement): Box =>
  grown(boundsOf([...nodes, ...edges.map(({ route }) => routeBox(route))]), MARGIN);

export function diagramSvg(placement: Placement, title: string, color: Colors, measure: MeasureText): string {
  const { x, y, width, height } = pictureBox(placement);
  const box = [x, y, width, height].map(number).join(' ');
  const edges = placement.edges.flatMap((edge) => edgeShapes(edge, 'columns').map((shape) => shapeSvg(shape, color)));
  const tables = placement.nodes.map((node) => {
    const shapes = tableShapes(node, 'columns', measure).map((shape) => shapeSvg(shape, color));
    return `<g transform="translate(${number(node.x)} ${number(node.y)})">${shapes.join('')}</g>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="${number(width)}" height="${number(height)}" font-family="${escapeXml(FONTS)}">`,
    `<title>${escapeXml(visibleText(title))}</title>`,
    `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" fill="${color('bg')}"/>`,
    ...edges,
    ...tables,
    '</svg>',
    '',
  ].join('\n');
}

function shapeSvg(shape: Shape, color: Colors): string {
  switch (shape.kind) {
    case 'rect': {
      const { x, y, width, height, fill, stroke, radius } = shape;
      return `<rect${attributes({ x, y, width, height, rx: radius, fill: color(fill), stroke: stroke && color(stroke) })}/>`;
    }
    case 'path': {
      const { d, ink, dashed } = shape;
      const dash = dashed ? '5 4' : undefined;
      return `<path${attributes({ d, fill: 'none', stroke: color(ink), 'stroke-width': 1.3, 'stroke-dasharray': dash })}/>`;
    }
    case 'text': {
      const { x, y, ink, size, bold, align, text } = shape;
      const style = { 'font-size': size, 'font-weight': bold ? 600 : undefined, 'text-anchor': align };
      return `<text${attributes({ x, y, fill: color(ink), ...style })}>${escapeXml(visibleText(text))}</text>`;
    }
  }
}
