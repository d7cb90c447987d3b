// Chooses the part of a comparison of schemas to show.
import type { ReactNode } from 'react';
import { updateTab } from '../../state/store.ts';
import { ChoiceRow } from '../../ui/choice-row.tsx';
import { SCHEMA_COMPARE_PARTS } from '../../workbench/tabs/schema-compare.ts';
import type { SchemaComparePart, SchemaCompareTab } from '../../workbench/tabs/schema-compare.ts';

export const PART_LABELS: Readonly<Record<SchemaComparePart, string>> = {
  differences: 'Differences',
  migration: 'Migration',
  rows: 'Rows',
};

export const panelId = ({ id }: SchemaCompareTab): string => `schema-compare-${id}`;

export function PartChoice({ tab }: { readonly tab: SchemaCompareTab }): ReactNode {
  return (
    <ChoiceRow
      label="Parts of the comparison"
      choices={SCHEMA_COMPARE_PARTS.map((part) => ({ id: part, label: PART_LABELS[part] }))}
      chosen={tab.part}
      onChoose={(part) => updateTab<SchemaCompareTab>(tab.id, { part })}
      panel={panelId(tab)}
    />
  );
}
