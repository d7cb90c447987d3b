// What a change would do before it is made: its steps with their time, the rows that are in the way, and what mentions the table.
import { Check, Clock, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DatabaseId, SchemaObstacle, SchemaPlan, SchemaStep } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useNamingText } from '../../workbench/use-naming-text.ts';
import { rebuildCosts, showRowsInTheWay } from '../../workbench/plan-parts.ts';
import { openQuery } from '../../workbench/query-tabs.ts';
import { plural } from '../../ui/format.ts';

interface PlanFactsProps {
  readonly database: DatabaseId;
  readonly plan: SchemaPlan;
  /** Of the object that is changed; null: a new one. */
  readonly name: string | null;
}

export function PlanFacts({ database, plan, name: changed }: PlanFactsProps): ReactNode {
  const { steps, obstacles, dependents, broken } = plan;
  return (
    <ul className="design-list" aria-label="What the change would do">
      {steps.map((step, index) => (
        <li key={index} className="design-fact" data-good>
          <Clock size={14} aria-hidden />
          <span>{stepWords(step)}</span>
        </li>
      ))}
      {obstacles.map((obstacle, index) => (
        <li key={index} className="design-fact" data-good={false}>
          <TriangleAlert size={14} aria-label="In the way" />
          <span>
            {obstacleWords(obstacle)}{' '}
            {obstacle.rows && (
              <>
                <button
                  type="button"
                  className="link-button"
                  onClick={() => showRowsInTheWay(database, obstacle.rows!)}
                >
                  Show rows
                </button>{' '}
              </>
            )}
            <button type="button" className="link-button" onClick={() => openQuery(database, { sql: obstacle.sql })}>
              Show as SQL
            </button>
          </span>
        </li>
      ))}
      {broken.map(({ kind, name, message }) => (
        <li key={`${kind} ${name}`} className="design-fact" data-good={false}>
          <TriangleAlert size={14} aria-label="Does not compile" />
          <span>
            The {kind} “{visibleName(name)}” would not compile: {message}
          </span>
        </li>
      ))}
      {obstacles.length === 0 && broken.length === 0 && readsRows(steps) && (
        <li className="design-fact" data-good>
          <Check size={14} aria-label="OK" />
          <span>No rows are in the way</span>
        </li>
      )}
      {dependents.length > 0 && (
        <li className="design-fact" data-good>
          <Check size={14} aria-label="OK" />
          <span>
            Kept, and checked afterward: {dependents.map(({ kind, name }) => `${kind} ${visibleName(name)}`).join(', ')}
          </span>
        </li>
      )}
      {changed !== null && <NamingQueries database={database} name={changed} />}
    </ul>
  );
}

function NamingQueries({ database, name }: { readonly database: DatabaseId; readonly name: string }): ReactNode {
  const text = useNamingText(database, name);
  return (
    text !== null && (
      <li className="design-fact" data-good>
        <Info size={14} aria-hidden />
        <span>{text}</span>
      </li>
    )
  );
}

function readsRows(steps: readonly SchemaStep[]): boolean {
  return steps.some(({ rows }) => rows !== null);
}

function stepWords(step: SchemaStep): string {
  if (step.kind === 'statement') {
    return step.rows === null ? `Immediate: ${step.sql}` : `Reads ${plural(step.rows, 'row')}: ${step.sql}`;
  }
  return `Rebuilds the table “${visibleName(step.table)}”${rebuildCosts(step)}`;
}

function obstacleWords({ kind, columns, constraint, count }: SchemaObstacle): string {
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
