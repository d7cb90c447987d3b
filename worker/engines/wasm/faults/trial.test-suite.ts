// One fault in the life of one database: the workload up to the end or the crash, the reopening, and the verdict.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../../engine.ts';
import type { Rehearsal, TrialLab, TrialSpec, Verdict } from './trial-spec.test-suite.ts';
import { contents, WORKLOAD } from './workload.test-suite.ts';
import type { Step } from './workload.test-suite.ts';

/** A person tries again; the third time the disk has been repaired. */
const TRIES = 4;
const REPAIRED_AFTER = 2;
/** Operations, at most, between the first crash and the second. */
const SECOND_LIFE = 12;
const TOLD = new Set(['full', 'io']);

class Lost extends Error {}

export class Trial {
  readonly #lab: TrialLab;
  readonly #rehearsal: Rehearsal;
  readonly #spec: TrialSpec;
  #connection: Connection | null = null;
  /** Steps acknowledged, and how many of them are on disk for certain. */
  #acknowledged = 0;
  #flushed = 0;
  #beforeFault = 0;
  /** The step whose commit failed when the crash came. */
  #doubtful: number | null = null;
  /** Marks of the last commit, by the number of acknowledged steps. */
  readonly #marks: string[] = [];
  #refused = 0;
  #cameBack = false;
  #shortened = false;
  #recoveryCut = false;

  constructor(lab: TrialLab, rehearsal: Rehearsal, spec: TrialSpec) {
    this.#lab = lab;
    this.#rehearsal = rehearsal;
    this.#spec = spec;
  }

  run(): Verdict {
    const { disk } = this.#lab;
    disk.start(this.#spec.fault, this.#spec.seed);
    this.#lab.placeCopy();
    let lost: string | null = null;
    let struck = false;
    try {
      this.#live();
      struck = disk.struck;
      this.#crash();
      this.#crashInRecovery();
      this.#judge();
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      struck ||= disk.struck;
      lost = error.message;
    } finally {
      this.#abandon();
    }
    return {
      lost,
      struck,
      refused: this.#refused,
      cameBack: this.#cameBack,
      shortened: this.#shortened,
      recoveryCut: this.#recoveryCut,
    };
  }

  #live(): void {
    for (const [index, step] of WORKLOAD.entries()) {
      if (!this.#perform(step, index)) return;
    }
  }

  /** False: the life of this process ends here. */
  #perform(step: Step, index: number): boolean {
    const { disk } = this.#lab;
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      if (!disk.struck) this.#beforeFault = this.#acknowledged;
      const error = this.#attempt(step);
      if (disk.off) {
        this.#doubtful = index;
        return false;
      }
      if (error === null) {
        this.#acknowledged = index + 1;
        if (step.flushes) this.#flushed = index + 1;
        return true;
      }
      this.#toldClearly(error, step);
      this.#doubtful = index;
      if (this.#spec.after === 'crash') return false;
      if (attempt >= REPAIRED_AFTER) disk.repair();
      this.#showsNothingUncommitted(index);
      this.#doubtful = null;
      // Works again, or refuses clearly: then it is opened again, as a person would.
      if (attempt === TRIES - 1) this.#reopen();
    }
    throw new Lost(`“${step.name}” is refused although the disk works again.`);
  }

  #attempt(step: Step): unknown {
    try {
      this.#connection ??= this.#lab.connect(this.#spec.durability);
      this.#marks[0] ??= this.#connection.commitMark;
      step.run(this.#connection);
      const mark = this.#connection.commitMark;
      if (step.reopen) {
        this.#connection.close();
        this.#connection = null;
      }
      this.#marks[WORKLOAD.indexOf(step) + 1] = mark;
      return null;
    } catch (error) {
      return this.#rollback() ?? error;
    }
  }

  #rollback(): unknown {
    try {
      if (this.#connection && !this.#connection.autocommit) this.#connection.run('ROLLBACK');
      return null;
    } catch (error) {
      return error;
    }
  }

  #toldClearly(error: unknown, step: Step): void {
    this.#refused++;
    if (error instanceof AppError && TOLD.has(error.code) && /^[A-Z].*\.$/s.test(error.message)) return;
    const account = error instanceof AppError ? `${error.code}, “${error.message}”` : String(error);
    throw new Lost(`“${step.name}” failed with ${account}`);
  }

  #showsNothingUncommitted(index: number): void {
    if (!this.#connection) return;
    let seen: string;
    try {
      seen = contents(this.#connection);
    } catch (error) {
      this.#toldClearly(error, WORKLOAD[index]!);
      return;
    }
    if (this.#lab.disk.off) return;
    if (seen !== this.#rehearsal.states[index])
      throw new Lost(`After “${WORKLOAD[index]!.name}” failed, the connection shows ${this.#nameOf(seen)}.`);
  }

  #reopen(): void {
    this.#connection?.close();
    this.#connection = null;
  }

  #crash(): void {
    const { disk } = this.#lab;
    disk.turnOff();
    this.#abandon();
    disk.restart(this.#spec.kept);
  }

  #abandon(): void {
    this.#connection?.close();
    this.#connection = null;
  }

  /** The first one to open the database meets the end of the power while it moves the log into the file. */
  #crashInRecovery(): void {
    const { disk } = this.#lab;
    disk.cutPowerAfter(this.#spec.recoveryCut);
    try {
      this.#connection = this.#lab.connect(this.#spec.durability);
      this.#connection.checkpoint();
      this.#abandon();
    } catch (error) {
      if (!disk.off) throw error;
    }
    this.#recoveryCut = disk.off;
    this.#crash();
  }

  #judge(): void {
    const seen = this.#soundContents(this.#connect());
    const { states } = this.#rehearsal;
    const least = this.#leastKept();
    const most = Math.max(this.#acknowledged, this.#doubtful === null ? 0 : this.#doubtful + 1);
    if (!states.slice(least, most + 1).includes(seen))
      throw new Lost(
        `The database shows ${this.#nameOf(seen)}, not anything from ${least} to ${most} (${this.#acknowledged} acknowledged).`,
      );
    this.#shortened = !states.slice(this.#acknowledged, most + 1).includes(seen);
    this.#cameBack = !states.slice(least, this.#acknowledged + 1).includes(seen);
    this.#judgeMark(seen);
    this.#crashAgain(seen);
  }

  /** A name that was heard before means the same state again, and a state that was named has its name again. */
  #judgeMark(seen: string): void {
    const { states } = this.#rehearsal;
    const mark = this.#connection!.commitMark;
    if (this.#marks.some((known, step) => known === mark && states[step] === seen)) return;
    const isDoubtful = this.#doubtful !== null && states[this.#doubtful + 1] === seen;
    // Nothing need be left of a newly created file: it is another file then.
    const isNew = states[0] === seen;
    if ((isDoubtful || isNew) && !this.#marks.includes(mark)) return;
    throw new Lost(`The database shows ${this.#nameOf(seen)}, but its mark is that of ${this.#marks.indexOf(mark)}.`);
  }

  /** Recovered content is permanent, even when the first moments of the new life are cut short as the old one was. */
  #crashAgain(found: string): void {
    const { disk } = this.#lab;
    const mark = this.#connection!.commitMark;
    disk.cutPowerAfter(this.#spec.seed % SECOND_LIFE);
    try {
      this.#connection?.run('CREATE TABLE afterwards (id INTEGER PRIMARY KEY)');
      this.#connection?.checkpoint();
    } catch (error) {
      if (!disk.off) throw error;
    }
    this.#crash();
    const connection = this.#connect();
    const hasMoved = connection.commitMark !== mark;
    if (hasMoved !== (connection.one("SELECT 1 FROM sqlite_schema WHERE name = 'afterwards'") !== null))
      throw new Lost(
        `After a second crash the mark is ${hasMoved ? 'another' : 'the same'}, and the contents are not.`,
      );
    connection.run('DROP TABLE IF EXISTS afterwards');
    const seen = this.#soundContents(connection);
    if (seen !== found)
      throw new Lost(
        `After a second crash the database shows ${this.#nameOf(seen)}, no longer ${this.#nameOf(found)}.`,
      );
    connection.checkpoint();
  }

  #soundContents(connection: Connection): string {
    const check = String(connection.one('PRAGMA integrity_check')?.[0]);
    if (check !== 'ok') throw new Lost(`The database is damaged: ${check}`);
    return contents(connection);
  }

  #connect(): Connection {
    try {
      return (this.#connection = this.#lab.connect(this.#spec.durability));
    } catch (error) {
      throw new Lost(`The database can not be opened: ${String(error)}`);
    }
  }

  /** The number of steps that must be there after this crash. */
  #leastKept(): number {
    const { fault, kept, durability } = this.#spec;
    // When only the process ends, nothing that was written is lost.
    if (kept === 'all') return this.#acknowledged;
    const promised = durability === 'full' ? this.#acknowledged : this.#flushed;
    // Later claims of a lying disk are worth no more than its word.
    return fault.effect === 'drop' ? Math.min(promised, this.#beforeFault) : promised;
  }

  #nameOf(seen: string): string {
    const step = this.#rehearsal.states.indexOf(seen);
    return step < 0 ? 'what never was committed' : `the state after step ${step}`;
  }
}
