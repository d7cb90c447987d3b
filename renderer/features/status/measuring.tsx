// Says everywhere that the benchmark is measuring, because anything done in the meantime disturbs it.
import type { ReactNode } from 'react';
import { runCommand } from '../../workbench/commands/commands.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useStore } from '../../state/store.ts';
import { Tooltip } from '../../ui/tooltip.tsx';

export function Measuring(): ReactNode {
  const here = useStore((state) => state.measuringHere);
  const elsewhere = useStore((state) => state.measuringElsewhere);
  if (here === null && elsewhere === null) return null;
  const share = here ?? elsewhere?.progress?.share ?? 0;
  const who = here === null ? elsewhere!.windowTitle : 'The benchmark in this window';
  return (
    <Tooltip text={`${who} is running. You can keep working, but that affects the measurements.`}>
      <button
        type="button"
        className="status-button status-measuring"
        onClick={() =>
          void (here === null ? shell.bench.showElsewhere().catch(notifyFailure) : runCommand('benchmark.show'))
        }
      >
        running, <b>{Math.floor(share * 100)}%</b>
      </button>
    </Tooltip>
  );
}
