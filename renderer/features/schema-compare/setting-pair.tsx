// The options of both databases side by side.
import type { ReactNode } from 'react';
import type { SettingDifference } from '#shared/schema-diff/compare-schemas.ts';
import { PairTable } from './pair-table.tsx';

interface SettingPairProps {
  readonly settings: readonly SettingDifference[];
  /** Name of the selected one; null: all of them. */
  readonly selected: string | null;
  readonly leftTitle: string;
  readonly rightTitle: string;
}

export function SettingPair({ settings, selected, leftTitle, rightTitle }: SettingPairProps): ReactNode {
  return (
    <PairTable label="Options" leftTitle={leftTitle} rightTitle={rightTitle}>
      {settings.map(({ name, from, to }) => (
        <tr key={name} data-selected={name === selected}>
          <td {...(from !== to && { 'data-tone': 'del' })}>{`PRAGMA ${name} = ${from}`}</td>
          <td {...(from !== to && { 'data-tone': 'ins' })}>{`PRAGMA ${name} = ${to}`}</td>
        </tr>
      ))}
    </PairTable>
  );
}
