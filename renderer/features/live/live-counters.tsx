// The cost of keeping rows up to date: how often each reader of the database has run, skipped and sent.
import { X } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import type { DatabaseId, FollowState, LiveCounters as Counters } from '#shared/protocol/index.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { client } from '../../connection/database-client.ts';
import { useStore } from '../../state/store.ts';
import { usePolled } from '../../ui/use-polled.ts';
import { useOwnWindowId } from '../../connection/use-own-window-id.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatBytes, formatCount, formatFixed } from '../../ui/format.ts';
import { totalOf, type Figures } from './live-totals.ts';
import './live-counters.css';

const REFRESH_MS = 500;

const STATES: Readonly<Record<FollowState, { readonly word: string; readonly meaning: string }>> = {
  live: { word: 'live', meaning: 'What is on screen is up to date' },
  waits: { word: 'waits', meaning: 'Data changed; waiting to be read again' },
  hidden: { word: 'hidden', meaning: 'Not on screen, so it is not kept up to date' },
  paused: { word: 'paused', meaning: 'Paused or stopped manually' },
  'too-slow': { word: 'over limit', meaning: 'Its last run exceeded the time limit' },
  failed: { word: 'failed', meaning: 'Its SQL no longer runs. Sidelite tries again after the next change' },
  fixed: { word: 'not live', meaning: 'Shows the data from when it ran' },
};

export function LiveCounters(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const database = useStore((state) => state.currentDatabase);
  useCommand('view.liveCounters', () => setOpen(!isOpen), database !== null);
  if (!isOpen || !database) return null;
  return <Panel database={database} onClose={() => setOpen(false)} />;
}

function Panel({ database, onClose }: { readonly database: DatabaseId; onClose(): void }): ReactNode {
  const counters = useCounters(database);
  const ownWindow = useOwnWindowId();
  return (
    <section
      className="stack small live-counters"
      aria-label="Live counters"
      data-pane
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <header className="row ruled live-counters-head">
        <h2>Live counters</h2>
        <IconButton label="Close live counters" onClick={onClose}>
          <X size={14} />
        </IconButton>
      </header>
      <div className="scroll shrink-y inner-focus live-counters-body" tabIndex={0} aria-label="Cost of each reader">
        <table>
          <thead>
            <tr>
              <th>Reader</th>
              <th>Window</th>
              <th>State</th>
              <th title="Read or run again because of a commit">Runs</th>
              <th title="Commits that did not affect it: nothing was run">Skips</th>
              <th title="Runs with an unchanged result: nothing was sent">Same</th>
              <th>Patches</th>
              <th>Sent</th>
              <th title="From the commit to the patch leaving the worker: median">p50</th>
              <th title="From the commit to the patch leaving the worker: 95th percentile">p95</th>
            </tr>
          </thead>
          <tbody>
            {counters.map((each) => (
              <tr key={each.reader}>
                <td title={each.title}>{each.title}</td>
                <td title={each.windowId}>{each.windowId === ownWindow ? 'this' : 'another'}</td>
                <td title={STATES[each.state].meaning} data-state={each.state}>
                  {STATES[each.state].word}
                </td>
                <FigureCells counters={each} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>All {formatCount(counters.length)}</td>
              <td />
              <td />
              <FigureCells counters={totalOf(counters)} />
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}

function FigureCells({ counters }: { readonly counters: Figures }): ReactNode {
  const { runs, skips, unchanged, patches, bytes, latencyP50Ms, latencyP95Ms } = counters;
  return (
    <>
      {[runs, skips, unchanged, patches].map((count, index) => (
        <td key={index}>{formatCount(count)}</td>
      ))}
      <td>{bytes === 0 ? '0' : formatBytes(bytes)}</td>
      <td>{latencyText(latencyP50Ms, patches)}</td>
      <td>{latencyText(latencyP95Ms, patches)}</td>
    </>
  );
}

const latencyText = (ms: number, patches: number): string => (patches === 0 ? '–' : `${formatFixed(ms, 1)} ms`);

const NONE: readonly Counters[] = [];

function useCounters(database: DatabaseId): readonly Counters[] {
  const ask = useCallback(() => client.call('live.counters', { database }), [database]);
  return usePolled(ask, REFRESH_MS) ?? NONE;
}
