// The columns of the table, and the source of the values for each.
import type { ReactNode } from 'react';
import type { SampleColumn, SuggestedColumn } from '#shared/protocol/index.ts';
import { sourceProblem } from '#shared/sample-rows/source-values.ts';
import { Button } from '../../ui/button.tsx';
import { CommittedField } from '../../ui/committed-field.tsx';
import type { SampleRowsSession } from './sample-rows-session.ts';
import { idOf, sourceGroups } from './source-choices.ts';
import { Settings } from './source-settings.tsx';

interface ColumnSourcesProps {
  readonly session: SampleRowsSession;
  readonly suggested: readonly SuggestedColumn[];
  /** The same columns in the same order, with the user's choices. */
  readonly columns: readonly SuggestedColumn[];
  /** How many columns the user has changed. */
  readonly chosen: number;
}

export function ColumnSources({ session, suggested, columns, chosen }: ColumnSourcesProps): ReactNode {
  return (
    <section className="sample-rows-columns" aria-label="Columns">
      <table>
        <thead>
          <tr>
            <th>Column</th>
            <th>Values</th>
            <th>
              <span className="visually-hidden">Options</span>
              {chosen > 0 && (
                <Button size="small" onClick={() => session.reset()}>
                  Suggested values
                </Button>
              )}
            </th>
            <th title="Percentage of rows that get NULL instead">NULL %</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column, at) => (
            <ColumnLine key={column.name} column={column} suggested={suggested[at]!} session={session} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ColumnLineProps {
  readonly column: SuggestedColumn;
  readonly suggested: SuggestedColumn;
  readonly session: SampleRowsSession;
}

function ColumnLine({ column, suggested, session }: ColumnLineProps): ReactNode {
  const { name, source, nullPercent, declaredType, canBeNull, why } = column;
  const groups = sourceGroups(suggested);
  const isSuggested = source === suggested.source;
  const change = (part: Partial<SampleColumn>): void => session.setColumn({ name, source, nullPercent, ...part });
  const choose = (id: string): void => {
    const found = groups.flatMap(({ choices }) => choices).find((choice) => choice.id === id);
    if (found) change({ source: found.source });
  };
  const problem = sourceProblem(source);
  return (
    <tr>
      <th scope="row">
        <span className="sample-rows-name" title={name}>
          {name}
        </span>
        <span className="sample-rows-type" title={declaredType}>
          {declaredType}
        </span>
      </th>
      <td>
        <select
          className="small-field"
          aria-label={`Values of ${name}`}
          value={idOf(source)}
          onChange={(event) => choose(event.target.value)}
        >
          {groups.map(({ label, choices }) => (
            <optgroup key={label} label={label}>
              {choices.map(({ id, label: words }) => (
                <option key={id} value={id}>
                  {words}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </td>
      <td className="sample-rows-settings">
        <Settings name={name} source={source} onChange={(changed) => change({ source: changed })} />
        {problem !== null && <span className="sample-rows-bad">{problem}</span>}
        {problem === null && isSuggested && why !== '' && <span className="sample-rows-why">by {why}</span>}
      </td>
      <td>
        <CommittedField
          className="small-field"
          label={`NULL share of ${name}, percent`}
          value={String(nullPercent)}
          disabled={!canBeNull}
          onCommit={(text) => {
            const percent = Number(text);
            if (percent >= 0 && percent <= 100) change({ nullPercent: percent });
          }}
        />
      </td>
    </tr>
  );
}
