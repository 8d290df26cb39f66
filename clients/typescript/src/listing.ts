import type { Page } from "./shapes.js";

/** A list that comes by pages: iterate over it for everything, await it for the first page. */
export class Listing<T> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  readonly #page: (cursor?: string) => Promise<Page<T>>;

  constructor(page: (cursor?: string) => Promise<Page<T>>) {
    this.#page = page;
  }

  /** Yield each page; the parameter `limit` says how many it has. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page = await this.#page();
    yield page;
    while (page.next !== null) {
      page = await this.#page(page.next);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  then<A = Page<T>, B = never>(
    done?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#page().then(done, failed);
  }
}
