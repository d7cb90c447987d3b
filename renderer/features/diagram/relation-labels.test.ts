import { expect, test } from 'vitest';
import { graphOf, relation, table } from './made-graph.test-suite.ts';
import { nodeLabels } from './relation-labels.ts';

test('each table says in words what it is, what it refers to, and what refers to it', () => {
  const tables = [
    table('customer'),
    table('order', ['id', 'customer_id']),
    table('line'),
    table('big', [], { kind: 'view' }),
  ];
  const labels = nodeLabels(
    graphOf(tables, [relation('order', 'customer'), relation('line', 'order'), relation('customer', 'customer')]),
  );
  expect([...labels.values()].sort()).toEqual([
    'big, view, 0 columns.',
    'customer, table, 1 column. Refers to customer. Referred to by order, customer.',
    'line, table, 1 column. Refers to order.',
    'order, table, 2 columns. Refers to customer. Referred to by line.',
  ]);
});
