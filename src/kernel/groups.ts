interface Waiting<Item> {
  readonly item: Item;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Does something for many at a time: items that arrive while one group is under way go with the next. */
export class Groups<Item> {
  readonly #run: (items: readonly Item[]) => Promise<void>;
  #waiting: Waiting<Item>[] = [];
  #running = false;

  constructor(run: (items: readonly Item[]) => Promise<void>) {
    this.#run = run;
  }

  /** Resolves once it was done for an item, or rejects with what its group failed by. */
  add(item: Item): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ item, done, failed });
      if (!this.#running) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#running = true;
    // Items of the same turn go with the first.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        await this.#run(group.map(({ item }) => item));
        for (const { done } of group) done();
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    this.#running = false;
  }
}
