// The dialog that compares a file in place with a revision of its Git repository: the commits that changed the file, or any name of one.
import { useEffect, useId, useLayoutEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { GitCommit, GitCommits } from '#shared/git.ts';
import { locationIdOf, toAppError, type LibraryEntry } from '#shared/protocol/index.ts';
import { visibleLine, visibleName } from '#shared/visible-text.ts';
import { shell } from '../../connection/shell.ts';
import { discardTemporary, ensureOpen, refreshLibrary } from '../../state/databases.ts';
import { showLibrary, useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatMoment, plural } from '../../ui/format.ts';
import { TextField } from '../../ui/text-field.tsx';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { compareWithGit, useGitFiles } from '../../workbench/databases/git-files.ts';
import { NO_SIDE, openSchemaComparison } from '../../workbench/tabs/schema-compare.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import './git-dialog.css';

const MAX_AUTHOR_CHARS = 24;
/** “Dec 31, 2026, 23:59:59”. */
const MOMENT_CHARS = 22;
/** Other spaces are collapsed in an option. */
const SPACE = '\u00a0';

type Opening = 'no' | 'running' | { readonly why: string };

export function GitRevisions(): ReactNode {
  const entry = useGitFiles(({ compared }) => compared);
  return entry && <RevisionDialog key={entry.id} entry={entry} />;
}

const failed = (thrown: unknown): { readonly why: string } => ({ why: toAppError(thrown).message });

function close(): void {
  void shell.git.stop().catch(() => undefined);
  compareWithGit(null);
}

function RevisionDialog({ entry }: { readonly entry: LibraryEntry }): ReactNode {
  const listed = useCommits(entry);
  const [revision, setRevision] = useState('HEAD');
  const [opening, setOpening] = useState<Opening>('no');
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  const isReady = revision.trim() !== '' && opening !== 'running';
  const choose = (chosen: string): void => {
    setRevision(chosen);
    // A failure was about the one before.
    setOpening('no');
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady) return;
    setOpening('running');
    const found = await openRevision(entry, revision);
    // The dialog was closed in the meantime.
    if (useGitFiles.getState().compared !== entry) return;
    if ('why' in found) return setOpening(found);
    compareWithGit(null);
    showLibrary(false);
    openSchemaComparison(entry.id, { ...NO_SIDE, database: found.database }, 'rows');
    focusContent();
  };
  return (
    <Dialog
      title={`Compare “${visibleName(entry.name)}” with a Git revision`}
      wide
      initialFocus={field}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} disabled={!isReady}>
            Compare
          </Button>
        </>
      }
    >
      <form id={form} className="label-form git-form" onSubmit={(event) => void submit(event)}>
        <label htmlFor={`${form}-revision`}>Revision</label>
        <TextField
          ref={field}
          id={`${form}-revision`}
          value={revision}
          placeholder="HEAD~3, a branch, or a tag"
          onChange={({ target }) => choose(target.value)}
        />
        <label htmlFor={`${form}-commits`}>Commits</label>
        <CommitList id={`${form}-commits`} listed={listed} revision={revision} onChoose={choose} />
        <span />
        <Said opening={opening} listed={listed} />
      </form>
    </Dialog>
  );
}

function Said({ opening, listed }: { readonly opening: Opening; readonly listed: GitCommits | null }): ReactNode {
  const failure = typeof opening === 'object' ? opening.why : null;
  return (
    <p className={failure === null ? 'small' : 'small error'} role="status">
      {failure !== null ? visibleLine(failure) : opening === 'running' ? 'Reading the revision…' : wordsOf(listed)}
    </p>
  );
}

function useCommits({ id }: LibraryEntry): GitCommits | null {
  const [commits, setCommits] = useState<GitCommits | null>(null);
  useEffect(() => {
    let isWanted = true;
    void shell.git
      .commits(locationIdOf(id)!)
      .catch(failed)
      .then((found) => isWanted && setCommits(found));
    return () => void (isWanted = false);
  }, [id]);
  return commits;
}

async function openRevision(
  { id }: LibraryEntry,
  revision: string,
): Promise<{ readonly database: string } | { readonly why: string }> {
  try {
    const reply = await shell.git.open(locationIdOf(id)!, revision);
    if ('why' in reply) return reply;
    try {
      await ensureOpen(reply.database);
    } catch (thrown) {
      await discardTemporary(reply.database);
      throw thrown;
    }
    await refreshLibrary();
    return reply;
  } catch (thrown) {
    return failed(thrown);
  }
}

interface CommitListProps {
  readonly id: string;
  readonly listed: GitCommits | null;
  readonly revision: string;
  readonly onChoose: (hash: string) => void;
}

function CommitList({ id, listed, revision, onChoose }: CommitListProps): ReactNode {
  const commits = listed && 'commits' in listed ? listed.commits : [];
  const isListed = commits.some(({ hash }) => hash === revision);
  const list = useRef<HTMLSelectElement>(null);
  useLayoutEffect(() => {
    // React would choose the first one.
    if (!isListed) list.current!.selectedIndex = -1;
  });
  return (
    <select
      ref={list}
      id={id}
      className="option-list"
      size={8}
      value={isListed ? revision : ''}
      onChange={({ target }) => onChoose(target.value)}
    >
      {commits.map((commit) => (
        <option key={commit.hash} value={commit.hash} title={visibleLine(`${commit.author}: ${commit.subject}`)}>
          {lineOf(commit)}
        </option>
      ))}
    </select>
  );
}

const lineOf = ({ hash, atMs, author, subject }: GitCommit): string =>
  [
    hash,
    formatMoment(atMs).padEnd(MOMENT_CHARS, SPACE),
    visibleLine(author.slice(0, MAX_AUTHOR_CHARS)),
    visibleLine(subject),
  ].join(SPACE.repeat(2));

function wordsOf(listed: GitCommits | null): string {
  if (listed === null) return 'Listing commits…';
  if ('why' in listed) return visibleLine(listed.why);
  const { length } = listed.commits;
  if (length === 0) return 'No commit before HEAD has this file under this name.';
  return `${plural(length, 'commit')} that changed this file under this name.`;
}

export function useGitCommands(): void {
  const entry = useStore(({ currentDatabase, openDatabases }) =>
    currentDatabase === null ? null : (openDatabases[currentDatabase]?.entry ?? null),
  );
  const isInside = useGitFiles(({ inRepository }) => entry !== null && inRepository.has(entry.id));
  useCommand('git.compare', () => compareWithGit(entry), isInside);
}
