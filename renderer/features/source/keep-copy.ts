// Used if the history cannot keep the current contents: they are kept as a separate database, or not at all.
import type { LibraryEntry } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { runJob } from '../../workbench/jobs.ts';
import { choose } from '../../state/store.ts';

interface CopyQuestion {
  readonly title: string;
  readonly verb: 'Merge' | 'Reload';
  readonly why: string;
}

/** Returns whether the user wants to go on. @throws when it cannot be copied */
export async function keepCopyOrNot({ id, name }: LibraryEntry, { title, verb, why }: CopyQuestion): Promise<boolean> {
  const answer = await choose({
    title,
    body: `${why}\n\nA copy of the current data in the library needs as much space again.`,
    choices: [
      { id: 'drop', label: `${verb} without a copy`, variant: 'danger' },
      { id: 'keep', label: `Keep a copy and ${verb.toLowerCase()}`, variant: 'primary' },
    ],
  });
  if (answer === 'keep')
    await runJob(`Duplicating ${name}`, (options) =>
      client.call('library.duplicate', { database: id, name: `${name} before ${verb.toLowerCase()}` }, options),
    );
  return answer !== null;
}
