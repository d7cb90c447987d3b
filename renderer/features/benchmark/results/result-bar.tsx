// Controls for what is shown of a result and where it can be exported: view, timing, suite, published figures, export.
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import type { BenchResult } from '#shared/bench/result.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { formatEntries } from '../../../workbench/export-format.ts';
import type { BenchChoice, Choose, ResultView } from '../choice.ts';
import type { Scene } from '../charts/scene.ts';
import { RESULT_FORMATS } from '../export/formats.ts';
import { saveResult } from '../export/save-result.ts';
import { Segments } from '../segments.tsx';
import { suitesOf } from './table-model.ts';
import { TIMINGS } from './timing.ts';
import { suiteTitle } from './labels.ts';

interface ResultBarProps {
  readonly result: BenchResult;
  readonly title: string;
  readonly choice: BenchChoice;
  readonly choose: Choose;
  readonly suite: string | null;
  readonly picture: () => Scene;
  readonly actions: ReactNode;
}

const VIEWS: readonly { readonly id: ResultView; readonly label: string }[] = [
  { id: 'table', label: 'Table' },
  { id: 'plots', label: 'Plots' },
  { id: 'scaling', label: 'Growth' },
  { id: 'environment', label: 'Environment' },
];

export function ResultBar({ result, title, choice, choose, suite, picture, actions }: ResultBarProps): ReactNode {
  const suites = suitesOf(result.cells);
  const exports = formatEntries(RESULT_FORMATS, (format) => {
    void saveResult({ result, title, timing: choice.timing, picture }, format);
  });
  const suiteEntries: MenuEntry[] = [null, ...suites].map((id) => ({
    label: id === null ? 'All suites' : suiteTitle(id),
    checked: id === suite,
    run: () => choose({ suite: id }),
  }));
  const publishedEntries: MenuEntry[] = (
    [
      ['best', 'Best of each test'],
      ['all', 'All published figures'],
      ['none', 'None'],
    ] as const
  ).map(([id, label]) => ({ label, checked: choice.published === id, run: () => choose({ published: id }) }));
  return (
    <div className="bench-bar bench-result-bar" role="toolbar" aria-label="Result">
      <Segments label="View" value={choice.view} options={VIEWS} onChange={(view) => choose({ view })} />
      {choice.view !== 'environment' && (
        <>
          <Segments label="Time" value={choice.timing} options={TIMINGS} onChange={(timing) => choose({ timing })} />
          {suites.length > 1 && (
            <Choice label={suite === null ? 'All suites' : suiteTitle(suite)} entries={suiteEntries} />
          )}
          {choice.view === 'table' && <Choice label="Published" entries={publishedEntries} />}
        </>
      )}
      <span className="bench-gap" />
      {actions}
      <Choice label="Export" entries={exports} align="end" />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly align?: 'start' | 'end';
}

function Choice({ label, entries, align = 'start' }: ChoiceProps): ReactNode {
  return (
    <Menu
      align={align}
      entries={entries}
      trigger={
        <Button size="small">
          {label} <ChevronDown size={12} aria-hidden />
        </Button>
      }
    />
  );
}
