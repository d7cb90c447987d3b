// The visible tables and lines of a diagram, as SVG.
import { memo } from 'react';
import type { ReactNode } from 'react';
import { overlaps, routeBox } from './geometry.ts';
import type { Box } from './geometry.ts';
import { measureText } from './measure-text.ts';
import type { PlacedEdge, PlacedNode, Placement } from './placement.ts';
import { edgeShapes, pathOf, tableShapes } from './scene.ts';
import type { Detail } from './scene.ts';
import { Shapes } from './shape-svg.tsx';

interface PictureProps {
  readonly placement: Placement;
  /** The part that has to be rendered. */
  readonly box: Box;
  readonly detail: Detail;
  readonly cursor: string | null;
  readonly selected: string | null;
  /** Tables that match the search; null: no search. */
  readonly matches: ReadonlySet<string> | null;
}

export const Picture = memo(({ placement, box, detail, cursor, selected, matches }: PictureProps): ReactNode => {
  const edges = placement.edges.filter(({ route }) => overlaps(routeBox(route), box, 20));
  const nodes = placement.nodes.filter((node) => overlaps(node, box));
  return (
    <>
      {edges.map((edge) => {
        const { table, target } = edge.relation;
        const isOn = edge.id === selected || (selected === null && (table === cursor || target === cursor));
        const isDim = matches !== null && !matches.has(table) && !matches.has(target);
        return <EdgeSvg key={edge.id} edge={edge} detail={detail} variant={isOn ? 'on' : isDim ? 'dim' : 'plain'} />;
      })}
      {nodes.map((node) => {
        const isDim = matches !== null && !matches.has(node.name);
        const variant = node.name === cursor ? 'on' : isDim ? 'dim' : 'plain';
        return <TableSvg key={node.name} node={node} detail={detail} variant={variant} />;
      })}
    </>
  );
});

type Variant = 'plain' | 'on' | 'dim';

interface TableSvgProps {
  readonly node: PlacedNode;
  readonly detail: Detail;
  readonly variant: Variant;
}

const TableSvg = memo(({ node, detail, variant }: TableSvgProps): ReactNode => (
  <g
    className={`diagram-table diagram-${variant}`}
    transform={`translate(${node.x} ${node.y})`}
    data-diagram-table={node.name}
  >
    <Shapes shapes={tableShapes(node, detail, measureText)} hairlines={detail !== 'columns'} />
  </g>
));

interface EdgeSvgProps {
  readonly edge: PlacedEdge;
  readonly detail: Detail;
  readonly variant: Variant;
}

const EdgeSvg = memo(({ edge, detail, variant }: EdgeSvgProps): ReactNode => {
  return (
    <g className={`diagram-edge diagram-${variant}`} data-diagram-edge={edge.id} data-origin={edge.relation.origin}>
      {detail === 'columns' && <path className="diagram-edge-reach" d={pathOf(edge.route)} />}
      <Shapes shapes={edgeShapes(edge, detail)} hairlines={detail !== 'columns'} />
    </g>
  );
});
