// The commands of the history, and the questions that they ask over the window.
import { useRef, useState, type ReactNode } from 'react';
import { useCommand } from '../../workbench/commands/commands.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { openSettings } from '../../workbench/tabs/settings.ts';
import { undoOrRedo } from '../../workbench/history/history.ts';
import { openHistory } from '../../workbench/tabs/history.ts';
import { showLibrary, useStore } from '../../state/store.ts';
import type { ConflictChoice, ConflictChoices, RowConflict } from '#shared/protocol/index.ts';
import type { ConflictQuestion } from '../../state/slices/history.ts';
import { Button } from '../../ui/button.tsx';
import { DecisionAnswer, DecisionBar, DecisionList, DecisionsLeft, useShownDecisions } from '../../ui/decisions.tsx';
import type { DecisionLine } from '../../ui/decisions.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { plural } from '../../ui/format.ts';
import { keyText } from '../../workbench/differences/difference-columns.ts';
import { ValueText } from '../../workbench/differences/difference-table.tsx';
import { choosePatch, clearHistory } from './history-actions.ts';

const CHOICES: readonly { readonly choice: ConflictChoice; readonly short: string; readonly label: string }[] = [
  { choice: 'mine', short: 'Keep mine', label: 'Keep mine: leave the row as it is' },
  { choice: 'theirs', short: 'Take theirs', label: 'Take theirs: apply the change' },
];

/** There is nothing to decide: no row that could be kept or changed. */
const isGone = ({ reason }: RowConflict): boolean => reason === 'gone';

/** Row by row: the current row, the row that the change would write, and which of the two to keep. */
function ConflictDialog({ question }: { readonly question: ConflictQuestion }): ReactNode {
  const { title, conflicts, total, answer } = question;
  const { choiceOf, open, choose, chooseForAll, answers } = useChoices(question);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const shown = useShownDecisions(list, conflicts.length);
  const current = conflicts[at];
  const chooseCurrent = (choice: ConflictChoice): void => current && choose(current, choice);
  const apply = (): void => {
    if (open === 0) answer(answers());
  };
  return (
    <Dialog
      title={`${title}: ${plural(total, 'row')} changed since`}
      wide
      initialFocus={list}
      onClose={() => answer(null)}
      footer={
        <>
          <DecisionsLeft rows={open} />
          <Button onClick={() => answer(null)}>Cancel</Button>
          <Button variant="primary" disabled={open > 0} onClick={apply}>
            Apply
          </Button>
        </>
      }
    >
      <div className="decisions">
        <p>“Mine” is the row as it is now; “theirs” is the row after the change. Nothing has been changed yet.</p>
        <DecisionBar>
          {CHOICES.map(({ choice, short }) => (
            <Button key={choice} size="small" onClick={() => chooseForAll(choice)}>
              {short} for all
            </Button>
          ))}
        </DecisionBar>
        <DecisionList
          list={list}
          label="Rows in conflict"
          count={conflicts.length}
          at={at}
          shown={shown}
          lineOf={(index) => lineOf(conflicts[index]!, choiceOf(conflicts[index]!))}
          onAt={setAt}
          onChoose={chooseCurrent}
          onApply={apply}
        />
        {current && <Comparison conflict={current} choice={choiceOf(current)} onChoose={chooseCurrent} />}
      </div>
    </Dialog>
  );
}

function useChoices({ conflicts, total }: ConflictQuestion) {
  const [choices, setChoices] = useState<Readonly<Record<number, ConflictChoice>>>({});
  const [all, setAll] = useState<ConflictChoice | null>(null);
  const choiceOf = (conflict: RowConflict): ConflictChoice | null =>
    isGone(conflict) ? 'mine' : (choices[conflict.index] ?? all);
  return {
    choiceOf,
    /** Number of rows without a decision. */
    open: total > conflicts.length && !all ? total : conflicts.filter((conflict) => !choiceOf(conflict)).length,
    choose(conflict: RowConflict, choice: ConflictChoice): void {
      if (!isGone(conflict)) setChoices((before) => ({ ...before, [conflict.index]: choice }));
    },
    chooseForAll(choice: ConflictChoice): void {
      setAll(choice);
      setChoices({});
    },
    answers(): ConflictChoices {
      const left = conflicts.filter(isGone).map(({ index }) => [index, 'mine'] as const);
      return { rows: { ...choices, ...Object.fromEntries(left) }, ...(all && { all }) };
    },
  };
}

function lineOf(conflict: RowConflict, choice: ConflictChoice | null): DecisionLine {
  const words = CHOICES.find((each) => each.choice === choice)?.short ?? null;
  return {
    row: `${conflict.change.table} ${keyText(conflict.change)}`,
    what: conflict.message,
    choice: isGone(conflict) ? 'Skipped' : words,
  };
}

interface ComparisonProps {
  readonly conflict: RowConflict;
  readonly choice: ConflictChoice | null;
  readonly onChoose: (choice: ConflictChoice) => void;
}

function Comparison({ conflict, choice, onChoose }: ComparisonProps): ReactNode {
  const { change, current } = conflict;
  const positions = change.columns
    .map((name, index) => ({ name, now: current?.[index], wanted: change.after?.[index], was: change.before?.[index] }))
    .filter(({ wanted, was }) => wanted !== undefined || was !== undefined);
  return (
    <>
      {isGone(conflict) ? (
        <p>Skipped: the row no longer exists.</p>
      ) : (
        <DecisionAnswer choices={CHOICES} choice={choice} onChoose={onChoose} />
      )}
      <div className="decision-values">
        <table>
          <thead>
            <tr>
              <th>Column</th>
              <th>Mine: as it is now{current === null && ', the row does not exist'}</th>
              <th>Theirs: {change.kind === 'deleted' ? 'the row is deleted' : 'as the change makes it'}</th>
            </tr>
          </thead>
          <tbody>
            {positions.map(({ name, now, wanted }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{current !== null && <ValueText value={now} as="span" />}</td>
                <td>{change.kind !== 'deleted' && <ValueText value={wanted} as="ins" />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Always mounted; shows something only while there is a question. */
export function History(): ReactNode {
  const database = useStore((state) => state.currentDatabase);
  const hasHistory = useStore(
    (state) => state.currentDatabase !== null && state.histories[state.currentDatabase] !== undefined,
  );
  const question = useStore((state) => state.conflictQuestion);
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const has = isConnected && database !== null;

  useCommand('history.undo', () => database && undoOrRedo('undo', database), has);
  useCommand('history.redo', () => database && undoOrRedo('redo', database), has);
  useCommand(
    'history.show',
    () => {
      if (!database) return;
      showLibrary(false);
      openHistory(database);
      focusContent();
    },
    has,
  );
  useCommand('history.clear', () => void (database && clearHistory(database)), has && hasHistory);
  useCommand('history.limits', () => openSettings({ at: 'history.totalMegabytes' }));
  useCommand('patch.apply', () => void (database && choosePatch(database)), has);
  return question && <ConflictDialog key={question.title} question={question} />;
}
