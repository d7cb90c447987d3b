// What a window may ask of the Git repository that a file in place lies in. Git is the user's own program, and only reads.
import type { DatabaseId } from './protocol/database-id.ts';

/** A commit in which a file was added, changed, or removed. */
export interface GitCommit {
  /** As short as Git makes it. */
  readonly hash: string;
  /** When its author wrote it. */
  readonly atMs: number;
  readonly author: string;
  /** The first line of its message, cut if it is long. */
  readonly subject: string;
}

/** Newest first, from HEAD. */
export type GitCommits = { readonly commits: readonly GitCommit[] } | { readonly why: string };

/** `hash`: of the commit that the revision means. */
export type GitRevisionReply = { readonly database: DatabaseId; readonly hash: string } | { readonly why: string };

/** Failures are replies: an exception in main reaches the page without its message. Files are those that this window has open in place. */
export interface GitShell {
  /** Runs no program. */
  isInRepository(locationId: string): Promise<boolean>;
  commits(locationId: string): Promise<GitCommits>;
  /**
   * Makes the file as it is in `revision`, such as `HEAD~3`, a branch, or a tag, a temporary database of the native engine. `database.open`
   * opens it then.
   */
  open(locationId: string, revision: string): Promise<GitRevisionReply>;
  /** Ends what Git does for this window. */
  stop(): Promise<void>;
}
