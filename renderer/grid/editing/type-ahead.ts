// Input that arrives while the grid cannot handle it (a cell is being stored, a row being read): handled afterwards, in order.

/** Users do not type further ahead. Later keys with Ctrl, Alt or a number (F5) are commands again and need not wait. */
const AHEAD_MS = 1000;

type Step = () => void;

export class TypeAhead {
  readonly #run: (step: Step) => void;
  readonly #now: () => number;
  #waiting: Step[] = [];
  #underWay = 0;
  #since = 0;
  #lastInputMs = -Infinity;

  /** `run` performs a step and returns when its effects are visible. */
  constructor(run: (step: Step) => void, now: () => number = () => performance.now()) {
    this.#run = run;
    this.#now = now;
  }

  /** Work is running that new input may depend on. */
  get isBusy(): boolean {
    return this.#underWay > 0;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get lastInputMs(): number {
    return this.#lastInputMs;
  }

  noteInput(): void {
    this.#lastInputMs = this.#now();
  }

  get isLate(): boolean {
    return this.isBusy && this.#now() - this.#since > AHEAD_MS;
  }

  /** Keys wait until `work` has ended. */
  during(work: Promise<unknown>): void {
    if (this.#underWay++ === 0) this.#since = this.#now();
    const end = (): void => {
      this.#underWay--;
      this.#goOn();
    };
    work.then(end, end);
  }

  /** Runs the step of a key now, or once no work is running. */
  inTurn(step: Step): void {
    if (this.isBusy) this.#waiting.push(step);
    else step();
  }

  /** Runs the step of the pointer, which points at what is visible now: it waits only for keys that were pressed before. */
  afterKeys(step: Step): void {
    if (this.isWaiting) this.#waiting.push(step);
    else step();
  }

  /** Runs before all waiting steps. */
  first(step: Step): void {
    this.#waiting.unshift(step);
  }

  /** A previous step failed, so the waiting steps no longer apply. */
  drop(): void {
    this.#waiting = [];
  }

  #goOn(): void {
    while (!this.isBusy) {
      const step = this.#waiting.shift();
      if (!step) return;
      this.#run(step);
    }
  }
}
