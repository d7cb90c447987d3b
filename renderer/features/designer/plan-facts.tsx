// What a change would do: its steps with their time, the rows that prevent it, and what mentions the table.
import { Clock, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DatabaseId, SchemaObstacle, SchemaPlan, SchemaStep } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useNamingText } from '../../workbench/text/use-naming-text.ts';
import { rebuildCosts, serverCosts, showRowsInTheWay } from '../../workbench/objects/plan-parts.ts';
import { openQuery } from '../../workbench/tabs/query.ts';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { plural } from '../../ui/format.ts';

interface PlanFactsProps {
  readonly database: DatabaseId;
  readonly plan: SchemaPlan;
  /** Name of the object being changed; null: a new one. */
  readonly name: string | null;
}

export function PlanFacts({ database, plan, name: changed }: PlanFactsProps): ReactNode {
  const { steps, obstacles, dependents, broken } = plan;
  const costs = serverCosts(database, plan);
  return (
    <FactList label="What the change would do" isInset>
      {steps.map((step, index) => (
        <Fact key={index} tone="good" icon={<Clock size={14} aria-hidden />}>
          {stepLabel(step)}
        </Fact>
      ))}
      {costs !== null && (
        <Fact tone="plain" icon={<Info size={14} aria-hidden />}>
          {costs}
        </Fact>
      )}
      {obstacles.map((obstacle, index) => (
        <Fact key={index} tone="warning" icon={<TriangleAlert size={14} aria-label="In the way" />}>
          {obstacleLabel(obstacle)}{' '}
          {obstacle.rows && (
            <>
              <button type="button" className="link-button" onClick={() => showRowsInTheWay(database, obstacle.rows!)}>
                Show rows
              </button>{' '}
            </>
          )}
          <button type="button" className="link-button" onClick={() => openQuery(database, { sql: obstacle.sql })}>
            Show as SQL
          </button>
        </Fact>
      ))}
      {broken.map(({ kind, name, message }) => (
        <Fact key={`${kind} ${name}`} tone="warning" icon={<TriangleAlert size={14} aria-label="Does not compile" />}>
          The {kind} “{visibleName(name)}” would not compile: {message}
        </Fact>
      ))}
      {obstacles.length === 0 && broken.length === 0 && readsRows(steps) && (
        <Fact tone="good">No rows are in the way</Fact>
      )}
      {dependents.length > 0 && (
        <Fact tone="good">
          Kept, and checked afterward: {dependents.map(({ kind, name }) => `${kind} ${visibleName(name)}`).join(', ')}
        </Fact>
      )}
      {changed !== null && <NamingQueries database={database} name={changed} />}
    </FactList>
  );
}

function NamingQueries({ database, name }: { readonly database: DatabaseId; readonly name: string }): ReactNode {
  const text = useNamingText(database, name);
  return (
    text !== null && (
      <Fact tone="good" icon={<Info size={14} aria-hidden />}>
        {text}
      </Fact>
    )
  );
}

function readsRows(steps: readonly SchemaStep[]): boolean {
  return steps.some(({ rows }) => rows !== null);
}

function stepLabel(step: SchemaStep): string {
  if (step.kind === 'statement') {
    return step.rows === null ? `Immediate: ${step.sql}` : `Reads ${plural(step.rows, 'row')}: ${step.sql}`;
  }
  return `Rebuilds the table “${visibleName(step.table)}”${rebuildCosts(step)}`;
}

function obstacleLabel({ kind, columns, constraint, count }: SchemaObstacle): string {
  const named = columns.map((name) => `“${visibleName(name)}”`).join(', ');
  const rows = plural(count, 'row');
  switch (kind) {
    case 'not-null':
      return `${rows} would have NULL in ${named}, which is NOT NULL.`;
    case 'no-value':
      return `${rows} would have no value in ${named}. Give it a default.`;
    case 'check':
      return `${rows} would violate ${constraint ?? `the CHECK of ${named}`}.`;
    case 'unique':
      return `${rows} would have the same ${named} as another row.`;
    case 'foreign-key':
      return `${rows} would violate the foreign key ${constraint ?? named}.`;
    case 'type':
      return `${rows} would have a value in ${named} that does not match its type.`;
  }
}
