// Converts a diagram to a request to the layout engine, and its answer back.
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Graph } from './graph.ts';
import type { Point } from './geometry.ts';
import type { Layout } from './placement.ts';

/**
 * Layers from left to right, lines at right angles that avoid tables. Positions of columns are not passed on: with them, 60 tables had 224
 * crossings instead of 127.
 */
const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.aspectRatio': '1.6',
  'elk.spacing.nodeNode': '32',
  'elk.spacing.edgeNode': '16',
  'elk.spacing.edgeEdge': '10',
  'elk.spacing.componentComponent': '40',
  'elk.layered.spacing.nodeNodeBetweenLayers': '64',
  'elk.layered.spacing.edgeNodeBetweenLayers': '22',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
};

/** Tables and lines are numbered, because names can be anything. Referenced tables are on the left. */
export function layoutRequest({ nodes, edges }: Graph): ElkNode {
  const numbers = new Map(nodes.map(({ name }, at) => [name, at]));
  return {
    id: 'diagram',
    layoutOptions: OPTIONS,
    children: nodes.map(({ width, height }, at) => ({ id: `n${at}`, width, height })),
    edges: edges.map(({ relation }, at): ElkExtendedEdge => ({
      id: `e${at}`,
      sources: [`n${numbers.get(relation.target)!}`],
      targets: [`n${numbers.get(relation.table)!}`],
    })),
  };
}

/** @throws when a table has no place */
export function readLayout({ nodes, edges }: Graph, answer: Omit<ElkNode, 'id'>): Layout {
  const places = nodes.map(({ name }, at): readonly [string, Point] => {
    const { x, y } = answer.children?.[at] ?? {};
    if (!Number.isFinite(x) || !Number.isFinite(y)) throw new Error('A table has no place.');
    return [name, { x: x!, y: y! }];
  });
  const routes = edges.flatMap(({ id }, at) => {
    const section = answer.edges?.[at]?.sections?.[0];
    if (!section) return [];
    return [[id, [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]] as const];
  });
  return { places: Object.fromEntries(places), routes: Object.fromEntries(routes) };
}
