// What a design lacks although its SQL can be parsed: SQLite would reject it, or accept it and mean something else.
import { constraintsOf } from '#shared/ddl/edit-table.ts';
import type { ObjectModel } from '#shared/ddl/parse-object.ts';
import { strictProblems, type StrictProblem } from '#shared/ddl/strict-types.ts';
import { visibleName } from '#shared/visible-text.ts';
import { NO_TABLE } from './new-foreign-key.ts';

const TYPES = 'INT, INTEGER, REAL, TEXT, BLOB, and ANY';
export const STRICT_TAKES = `A STRICT table takes only the types ${TYPES}.`;

/** Why it cannot run yet; null if nothing is missing. */
export function unfinishedReason(model: ObjectModel): string | null {
  if (model.kind !== 'table') return null;
  const key = constraintsOf(model).find((one) => one.kind === 'foreign-key' && one.table.name === NO_TABLE);
  if (key?.kind === 'foreign-key') {
    const columns = key.columns.map(({ name }) => `“${visibleName(name)}”`).join(', ');
    return `Choose the table that the foreign key of ${columns} refers to.`;
  }
  const problems = strictProblems(model);
  return problems.length === 0 ? null : `${STRICT_TAKES} ${typesText(problems)}`;
}

/** “Name” is NVARCHAR(160), “Made” is DATETIME, and 2 more columns have other types. */
function typesText(problems: readonly StrictProblem[]): string {
  const named = problems.slice(0, problems.length > 3 ? 2 : 3).map(({ name, type }) => {
    return type === '' ? `“${visibleName(name)}” has no type` : `“${visibleName(name)}” is ${visibleName(type)}`;
  });
  const rest = problems.length - named.length;
  const parts = [...named, ...(rest === 0 ? [] : [`${rest} more columns have other types`])];
  if (parts.length < 3) return `${parts.join(' and ')}.`;
  return `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}.`;
}
