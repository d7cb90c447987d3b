// The saved runs: view one, compare two, rename, delete, import.
import { Ellipsis, FileInput } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { SavedRun } from '#shared/protocol/index.ts';
import { shell } from '../../../connection/shell.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { confirm, notify, prompt } from '../../../state/store.ts';
import { Button } from '../../../ui/button.tsx';
import { formatBytes, formatMoment, formatWhen, plural } from '../../../ui/format.ts';
import { ContextMenu, Menu } from '../../../ui/menu.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import type { Choose, ScreenProps } from '../choice.ts';
import { engineLabel, suiteTitle } from '../results/labels.ts';
import { readFacts } from './run-facts.ts';
import { deleteRun, importRun, renameRun, useRunLibrary } from './run-library.ts';

const RUN_COLUMNS: readonly (readonly [name: string, width: string, isOptional?: true])[] = [
  ['Name', '34%'],
  ['Suites', 'auto', true],
  ['Engines', '86px', true],
  ['Cells', '86px'],
  ['Machine', 'auto', true],
  ['Kept', '104px'],
  ['Actions', '44px'],
];

export function RunsScreen({ choice, choose }: ScreenProps): ReactNode {
  const runs = useRunLibrary((state) => state.runs);
  const importOne = (): void =>
    void chooseAndImport().then((run) => run && choose({ screen: 'result', run: run.id, against: null, suite: null }));
  if (runs === null) return <div className="fill" />;
  if (runs.length === 0) {
    return (
      <div className="center-message">
        <h2>No runs are kept yet</h2>
        <p>
          Every run is kept with all its samples when it finishes, so that you can compare later runs with it. You can
          also import the JSON of someone else’s run.
        </p>
        <div className="center-actions">
          <Button variant="primary" onClick={() => choose({ screen: 'setup' })}>
            Set up a run
          </Button>
          <Button onClick={importOne}>Import JSON…</Button>
        </div>
      </div>
    );
  }
  return (
    <div className="fill stack scroll">
      <div className="row gap-8 bench-pad">
        <span className="fill-x note">
          {plural(runs.length, 'run')}, {formatBytes(runs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))}
        </span>
        <Button size="small" onClick={importOne}>
          <FileInput size={13} aria-hidden /> Import JSON…
        </Button>
      </div>
      <table className="full-width figures bench-list bench-runs" aria-label="Kept runs">
        <thead>
          <tr>
            {RUN_COLUMNS.map(([name, width, isOptional]) => (
              <th key={name} style={{ width }} className={isOptional ? 'bench-runs-optional' : ''}>
                <span className={name === 'Actions' ? 'visually-hidden' : ''}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} runs={runs} choice={choice} choose={choose} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RunRowProps extends ScreenProps {
  readonly run: SavedRun;
  readonly runs: readonly SavedRun[];
}

function RunRow({ run, runs, choice, choose }: RunRowProps): ReactNode {
  const facts = readFacts(run.facts);
  const open = (): void => choose({ screen: 'result', run: run.id, against: null, suite: null });
  const remove = (): void =>
    void askAndDelete(run).then((isGone) => isGone && choice.run === run.id && choose({ run: null, against: null }));
  const entries: readonly MenuEntry[] = [
    { label: 'Open', hint: 'Enter', run: open },
    { label: 'Rename…', hint: 'F2', run: () => void askAndRename(run) },
    'separator',
    ...compareEntries(run, runs, choose),
    { label: 'Delete…', hint: 'Del', run: remove, danger: true },
  ];
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>): void => {
    if (event.target !== event.currentTarget) return;
    const { key, currentTarget } = event;
    if (key === 'Enter') open();
    else if (key === 'F2') void askAndRename(run);
    else if (key === 'Delete') remove();
    else if (key === 'ArrowDown') (currentTarget.nextElementSibling as HTMLElement | null)?.focus();
    else if (key === 'ArrowUp') (currentTarget.previousElementSibling as HTMLElement | null)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ContextMenu entriesAt={() => entries}>
      <tr className="inner-focus" tabIndex={0} aria-label={run.title} onDoubleClick={open} onKeyDown={onKeyDown}>
        <td>
          <RunName run={run} isUnfinished={facts.unfinished} onOpen={open} />
        </td>
        <td className="bench-runs-optional">{facts.suites.map(suiteTitle).join(', ')}</td>
        <td className="bench-runs-optional" title={facts.engines.map(engineLabel).join('\n')}>
          {plural(facts.engines.length, 'engine')}
        </td>
        <td>
          {facts.cells}
          {facts.failed > 0 && <em className="error"> {facts.failed} bad</em>}
        </td>
        <td className="bench-runs-optional" title={facts.cpu}>
          {facts.cpu}
        </td>
        <td title={formatMoment(run.savedAtMs)}>{formatWhen(run.savedAtMs)}</td>
        <td>
          <Menu
            align="end"
            entries={entries}
            trigger={
              <button type="button" className="icon-button" aria-label={`Actions for ${run.title}`}>
                <Ellipsis size={15} />
              </button>
            }
          />
        </td>
      </tr>
    </ContextMenu>
  );
}

interface RunNameProps {
  readonly run: SavedRun;
  readonly isUnfinished: boolean;
  readonly onOpen: () => void;
}

function RunName({ run: { title, origin }, isUnfinished, onOpen }: RunNameProps): ReactNode {
  return (
    <>
      <button type="button" className="cut text-color" tabIndex={-1} onClick={onOpen}>
        {title}
      </button>
      {isUnfinished && <small className="cut fine-print">not finished: the app closed before the end</small>}
      {origin !== null && (
        <small className="cut fine-print" title={`Imported from ${origin}`}>
          from {origin}
        </small>
      )}
    </>
  );
}

const COMPARED_IN_MENU = 8;

/** The runs it could be compared with, the newest first. */
export function compareEntries(run: SavedRun, runs: readonly SavedRun[], choose: Choose): readonly MenuEntry[] {
  const others = runs.filter(({ id }) => id !== run.id).slice(0, COMPARED_IN_MENU);
  if (others.length === 0) return [];
  return [
    { heading: 'Compare with' },
    ...others.map((other) => ({
      label: other.title,
      hint: formatWhen(other.savedAtMs),
      run: () => choose({ screen: 'result', run: run.id, against: other.id }),
    })),
    'separator',
  ];
}

const LONGEST_TITLE = 120;

async function askAndRename({ id, title }: SavedRun): Promise<void> {
  const answer = await prompt({
    title: 'Rename this run',
    label: 'Name',
    value: title,
    confirmLabel: 'Rename',
    validate: (text) =>
      text.trim() === ''
        ? 'Enter a name.'
        : text.length > LONGEST_TITLE
          ? `A name can have at most ${LONGEST_TITLE} characters.`
          : null,
  });
  // oxlint-disable-next-line sidelite/text-decisions -- whether the person has changed it
  if (answer === null || answer.trim() === title) return;
  await renameRun(id, answer.trim()).catch(notifyFailure);
}

/** Returns whether it was deleted. */
async function askAndDelete({ id, title, sizeBytes }: SavedRun): Promise<boolean> {
  const agreed = await confirm({
    title: `Delete the run “${title}”?`,
    body: `Its samples (${formatBytes(sizeBytes)}) will be deleted. Export the run first if you might need it.`,
    confirmLabel: 'Delete',
    danger: true,
  });
  if (!agreed) return false;
  try {
    await deleteRun(id);
    return true;
  } catch (thrown) {
    notifyFailure(thrown);
    return false;
  }
}

/** Returns the last one that was imported. */
async function chooseAndImport(): Promise<SavedRun | null> {
  let imported: SavedRun | null = null;
  for (const file of await shell.chooseFiles('json')) {
    try {
      imported = await importRun(file);
      notify({
        tone: 'success',
        topic: 'benchmark',
        text: `“${file.fileName}” was imported. It is shown with the machine it was measured on.`,
      });
    } catch (thrown) {
      notifyFailure(thrown);
    }
  }
  return imported;
}
