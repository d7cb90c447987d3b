// Tells whether the process that left something still runs, however long ago that was and whoever has its number now.

/** What the system says about processes. */
export interface ProcessTable {
  /** Whether there is a process with this number, dead ones that nobody has waited for included. */
  exists(pid: number): boolean;
  /** Text of /proc/PID/stat; null where the system has no such file. */
  stat(pid: number): string | null;
}

export interface RunningProcess {
  readonly pid: number;
  /** Distinguishes a process from a later one with the same id, where the system reports its start time; otherwise empty. */
  readonly began: string;
}

export const runningProcess = (pid: number, table: ProcessTable): RunningProcess => ({
  pid,
  began: statOf(pid, table)?.began ?? '',
});

/** A killed process that nobody has waited for keeps its number, but does nothing any more (`Z` and `X` in proc(5)). */
export function isRunning({ pid, began }: RunningProcess, table: ProcessTable): boolean {
  if (!table.exists(pid)) return false;
  const stat = statOf(pid, table);
  return stat === null ? began === '' : stat.began === began && !['Z', 'X'].includes(stat.state);
}

/** The fields after the second one, a name in parentheses that may hold anything. */
function statOf(pid: number, table: ProcessTable): { readonly state: string; readonly began: string } | null {
  const text = table.stat(pid);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', began: fields[19] ?? '' };
}
