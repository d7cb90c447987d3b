// Databases of tests on a memory disk, where there is one: each commit would wait for the disk.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/** A new folder, which goes with the tests of the file that runs now. Call it in a test, or at the top of a file with tests. */
export const memoryFolder = (): string => mkdtempSync(join(process.env['SIDELITE_MEMORY_FOLDER']!, 'f-'));
