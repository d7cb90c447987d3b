// What an engine process prints when something goes wrong, in the log: as much as helps, never as much as it may print.
import { log } from '../crash.ts';

const MAX_LINES = 200;
const MAX_CHARACTERS = 1_000;

/** The lines of its standard error. The first of them tell why; a process in a loop prints the same for ever. */
export function logLinesOf(stream: NodeJS.ReadableStream | null, name: string): void {
  let rest = '';
  let lines = 0;
  const add = (line: string): void => {
    lines++;
    if (lines <= MAX_LINES) log(`${name}: ${line.slice(0, MAX_CHARACTERS)}`);
    if (lines === MAX_LINES) log(`${name} has printed ${MAX_LINES} lines; what follows is not kept`);
  };
  stream?.setEncoding('utf8');
  stream?.on('data', (text: string) => {
    // Read on all the same: a full pipe would hold up the process.
    if (lines >= MAX_LINES) return;
    const [...parts] = (rest + text).split('\n');
    // A line without an end must not grow for ever; what it is cut to is all that is kept of it.
    rest = parts.pop()!.slice(0, MAX_CHARACTERS);
    for (const line of parts) if (line.trim() !== '') add(line.trimEnd());
  });
  stream?.on('end', () => rest.trim() !== '' && add(rest));
}
