// Status bar item: whether each change is saved at once or held, and how many changes are held.
import type { ReactNode } from 'react';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { plural } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import { useHeld } from '../../workbench/held/held-store.ts';

interface HeldStateProps {
  readonly database: DatabaseId;
  /** Nothing is running that may change data. */
  readonly isIdle: boolean;
}

export function HeldState({ database, isIdle }: HeldStateProps): ReactNode {
  const isOn = useHeld((state) => state[database]?.isOn ?? false);
  const count = useHeld((state) => state[database]?.pending.length ?? 0);
  // Keeps its room: work comes and goes, and nothing beside it may move.
  if (!isOn && count === 0 && !isIdle) return <span className="status-pending" />;
  const label = count > 0 ? `${plural(count, 'change')} held` : isOn ? 'holding changes' : 'nothing pending';
  const turn = (): void => void runCommand('held.turn');
  return (
    <Menu
      align="end"
      side="top"
      trigger={
        <button
          type="button"
          className={`status-button status-pending${count > 0 ? ' status-warn' : ''}`}
          aria-label={`Changes: ${label}`}
        >
          {label}
        </button>
      }
      entries={[
        { heading: 'Changes to this database in tables and results' },
        { label: 'Save each change at once', checked: !isOn, run: () => isOn && turn() },
        {
          label: 'Hold changes until they are saved',
          hint: commandKeyLabel('held.save'),
          checked: isOn,
          run: () => !isOn && turn(),
        },
      ]}
    />
  );
}
