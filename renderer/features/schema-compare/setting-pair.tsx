// The options of both databases beside each other.
import type { ReactNode } from 'react';
import type { SettingDifference } from '#shared/schema-diff/compare-schemas.ts';
import './pair-table.css';

interface SettingPairProps {
  readonly settings: readonly SettingDifference[];
  /** Name of the one that is selected; null: all are meant. */
  readonly selected: string | null;
  readonly leftTitle: string;
  readonly rightTitle: string;
}

export function SettingPair({ settings, selected, leftTitle, rightTitle }: SettingPairProps): ReactNode {
  return (
    <div className="schema-diff-texts" role="region" aria-label="Options" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{leftTitle}</th>
            <th scope="col">{rightTitle}</th>
          </tr>
        </thead>
        <tbody>
          {settings.map(({ name, from, to }) => (
            <tr key={name} data-selected={name === selected}>
              <td {...(from !== to && { 'data-tone': 'del' })}>{`PRAGMA ${name} = ${from}`}</td>
              <td {...(from !== to && { 'data-tone': 'ins' })}>{`PRAGMA ${name} = ${to}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
