// Logs what an engine process prints when something goes wrong, limited to a useful amount.
import { log } from '../crash.ts';

const MAX_LINES = 200;
const MAX_CHARACTERS = 1_000;

/** The lines of its standard error. The first ones tell the cause; a process in a loop prints the same endlessly. */
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
    // Keeps reading: a full pipe would block the process.
    if (lines >= MAX_LINES) return;
    const [...parts] = (rest + text).split('\n');
    // A line without an end must not grow without limit; only its beginning is kept.
    rest = parts.pop()!.slice(0, MAX_CHARACTERS);
    for (const line of parts) if (line.trim() !== '') add(line.trimEnd());
  });
  stream?.on('end', () => rest.trim() !== '' && add(rest));
}
