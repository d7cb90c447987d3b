// The functions that the user has written for a database: what became of each, and the ways to define, change, and remove one.
import { SquareFunction } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { standInKey, type StandIn } from '#shared/stand-ins.ts';
import { visibleName, visibleText } from '#shared/visible-text.ts';
import { notifyFailure } from '../../state/databases.ts';
import { standInsOf } from '../../state/stand-ins.ts';
import { notify } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import {
  removeStandIn,
  saveStandIn,
  useStandInStates,
  useWantedStandIn,
  whyNoStandIns,
} from '../../workbench/databases/stand-ins.ts';
import { FunctionDialog } from './function-dialog.tsx';
import { newStandIn } from './function-templates.ts';

/** What the dialog begins with; `before` is what it replaces. */
interface Edited {
  readonly before: StandIn | null;
  readonly draft: StandIn;
}

export function FunctionsSection({ database }: { readonly database: DatabaseId }): ReactNode {
  const [edited, setEdited] = useState<Edited | null>(null);
  const wanted = useWantedStandIn((state) => (state.wanted?.database === database ? state.wanted.name : null));
  useEffect(() => {
    if (wanted === null) return;
    setEdited({ before: null, draft: newStandIn(wanted) });
    // Saving opens the database again, and with it this page.
    useWantedStandIn.setState({ wanted: null });
  }, [wanted]);
  const standIns = standInsOf(database);
  const why = whyNoStandIns(database);
  return (
    <div className="health-extensions">
      <p className="health-note">
        A database may need functions of the program that made it, in a view, a trigger, or an index. A stand-in for
        such a function is written in JavaScript. It runs in a sandbox that reaches no file and no network, for at most
        two seconds a call, in this database only. Functions are kept on this computer, in no database, and none in a
        database, in settings, or in a recipe is ever loaded. Collations cannot be defined.
      </p>
      {why !== null && <p className="warn-note fixed small health-problem">{why}</p>}
      {standIns.length > 0 && (
        <ul aria-label="Functions of this database">
          {standIns.map((standIn) => (
            <FunctionLine
              key={standInKey(standIn)}
              database={database}
              standIn={standIn}
              onEdit={() => setEdited({ before: standIn, draft: standIn })}
            />
          ))}
        </ul>
      )}
      <Button size="small" why={why} onClick={() => setEdited({ before: null, draft: newStandIn('') })}>
        Define function…
      </Button>
      {edited !== null && why === null && (
        <FunctionDialog database={database} {...edited} onClose={() => setEdited(null)} />
      )}
    </div>
  );
}

interface FunctionLineProps {
  readonly database: DatabaseId;
  readonly standIn: StandIn;
  onEdit(): void;
}

function FunctionLine({ database, standIn, onEdit }: FunctionLineProps): ReactNode {
  const { name, kind, argumentCount, innocuous } = standIn;
  const states = useStandInStates(database);
  const state = states.find((each) => standInKey(each) === standInKey(standIn));
  const takes = argumentCount < 0 ? 'any number of arguments' : plural(argumentCount, 'argument');
  const remove = async (): Promise<void> => {
    const why = await removeStandIn(database, standIn);
    if (why !== null) return notify({ tone: 'warning', text: why });
    const restore = async (): Promise<void> => {
      const whyNot = await saveStandIn(database, null, standIn);
      if (whyNot !== null) notify({ tone: 'warning', text: whyNot });
    };
    notify({
      tone: 'info',
      text: `The function “${visibleName(name)}” was removed.`,
      action: { label: 'Undo', run: () => void restore().catch(notifyFailure) },
    });
  };
  return (
    <li aria-label={visibleName(name)}>
      <SquareFunction size={15} aria-hidden />
      <span className="shrink-x break-words">
        <b className="selectable">{visibleName(name)}</b>
        <span className="note health-setting-more">
          {kind === 'aggregate' ? 'Aggregate of' : 'Takes'} {takes}
          {innocuous && ', also for views and triggers'}
        </span>
        {state?.why != null && (
          <span className="error health-extension-adds" role="status">
            {visibleText(state.why)}
          </span>
        )}
      </span>
      <Button size="small" onClick={onEdit}>
        Edit…
      </Button>
      <Button size="small" onClick={() => void remove().catch(notifyFailure)}>
        Remove
      </Button>
    </li>
  );
}
