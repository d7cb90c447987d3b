// Chooses what a comparison of schemas shows.
import type { KeyboardEvent, ReactNode } from 'react';
import { updateTab } from '../../state/store.ts';
import { SCHEMA_COMPARE_PARTS } from '../../workbench/schema-compare-tabs.ts';
import type { SchemaComparePart, SchemaCompareTab } from '../../workbench/schema-compare-tabs.ts';

export const PART_LABELS: Readonly<Record<SchemaComparePart, string>> = {
  differences: 'Differences',
  migration: 'Migration',
  rows: 'Rows',
};

export const panelId = ({ id }: SchemaCompareTab): string => `schema-compare-${id}`;

export function PartChoice({ tab }: { readonly tab: SchemaCompareTab }): ReactNode {
  const choose = (part: SchemaComparePart): void => updateTab<SchemaCompareTab>(tab.id, { part });
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const next = SCHEMA_COMPARE_PARTS[SCHEMA_COMPARE_PARTS.indexOf(tab.part) + step];
    if (step === 0 || !next) return;
    event.preventDefault();
    choose(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-part="${next}"]`)?.focus();
  };
  return (
    <div className="schema-diff-parts" role="tablist" aria-label="Parts of the comparison" onKeyDown={onKeyDown}>
      {SCHEMA_COMPARE_PARTS.map((part) => (
        <button
          key={part}
          type="button"
          role="tab"
          aria-selected={part === tab.part}
          aria-controls={panelId(tab)}
          tabIndex={part === tab.part ? 0 : -1}
          data-part={part}
          onClick={() => choose(part)}
        >
          {PART_LABELS[part]}
        </button>
      ))}
    </div>
  );
}
