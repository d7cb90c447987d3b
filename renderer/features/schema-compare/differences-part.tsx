// The differences of two schemas: their tree, and both texts of the selected object.
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { SchemaDifference } from '#shared/schema-diff/compare-schemas.ts';
import type { SchemaCompareTab } from '../../workbench/tabs/schema-compare.ts';
import { differenceRows, SETTINGS_ROW } from './difference-rows.ts';
import { DifferenceTree } from './difference-tree.tsx';
import { RenameList } from './rename-list.tsx';
import type { SchemaCompareSession, SchemaCompareView } from './schema-compare-session.ts';
import { SettingPair } from './setting-pair.tsx';
import { useSideName } from './side-choice.tsx';
import { TextPair } from './text-pair.tsx';

interface DifferencesPartProps {
  readonly tab: SchemaCompareTab;
  readonly session: SchemaCompareSession;
  readonly view: SchemaCompareView;
  readonly difference: SchemaDifference;
  readonly filter: string;
}

export function DifferencesPart({ tab, session, view, difference, filter }: DifferencesPartProps): ReactNode {
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const names = { from: useSideName(tab.from), to: useSideName(tab.to) };
  const rows = useMemo(
    () => differenceRows(difference, { showEqual: tab.showEqual, filter, folded }),
    [difference, tab.showEqual, filter, folded],
  );
  const fold = (id: string): void => {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    setFolded(next);
  };
  const selected = rows.find(({ id }) => id === selectedId) ?? rows[0];
  if (rows.length === 0) return <Nothing filter={filter} />;
  return (
    <div className="schema-diff-body">
      <DifferenceTree rows={rows} selectedId={selected?.id ?? null} onSelect={setSelectedId} onFold={fold} />
      <div className="schema-diff-detail">
        <RenameList
          objects={difference.objects}
          renames={view.renames}
          onChange={(renames) => session.setRenames(renames)}
        />
        {selected?.object ? (
          <TextPair
            left={selected.object.from?.sql ?? null}
            right={selected.object.to?.sql ?? null}
            leftTitle={names.from}
            rightTitle={names.to}
          />
        ) : (
          <SettingPair
            settings={difference.settings}
            selected={selected?.id === SETTINGS_ROW ? null : (selected?.label ?? null)}
            leftTitle={names.from}
            rightTitle={names.to}
          />
        )}
      </div>
    </div>
  );
}

function Nothing({ filter }: { readonly filter: string }): ReactNode {
  if (filter !== '') return <p className="schema-diff-note">No differences match the filter.</p>;
  return (
    <div className="center-message">
      <h2>The schemas are the same</h2>
      <p>There are no differences in tables, views, indexes, triggers, or options.</p>
    </div>
  );
}
