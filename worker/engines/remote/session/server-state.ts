// State of the database on the server, read from replies: the state that reads must not be older than, whether others have
// committed, the version of the schema, and what was read and written so far.
import type { BatchResult, ReplicationIndex } from '../hrana/messages.ts';
import type { RowsTouched } from './server-session.ts';

export class ServerState {
  index: ReplicationIndex | null;
  /** The state after the last write of this session. */
  written: ReplicationIndex | null = null;
  schemaVersion = -1;
  otherCommits = 0;
  touched: RowsTouched = { read: 0, written: 0 };

  /** @param notOlderThan what reads must not be older than from the beginning */
  constructor(notOlderThan: ReplicationIndex | null) {
    this.index = notOlderThan;
  }

  noteWritten(): void {
    this.written = this.index;
  }

  /** Call before this session commits anything: a state other than the last known one comes from others. */
  noteBegun({ replication_index: index }: BatchResult): void {
    if (typeof index === 'string' && index !== this.index && this.index !== null) this.otherCommits++;
    if (typeof index === 'string') this.index = index;
  }

  note(batch: BatchResult): BatchResult {
    let { read, written } = this.touched;
    for (const result of batch.step_results) {
      read += result?.rows_read ?? 0;
      written += result?.rows_written ?? 0;
    }
    this.touched = { read, written };
    const { replication_index: index } = batch;
    if (typeof index === 'string') this.index = index;
    const [version] = (batch.step_results.at(-1)?.rows[0] ?? []) as readonly { readonly value?: unknown }[];
    if (typeof version?.value === 'string') this.schemaVersion = Number(version.value);
    return batch;
  }
}
