export function listOf(ask) {
    async function* pages() {
        let { rows, next } = await ask();
        yield rows;
        while (next !== null) {
            ({ rows, next } = await ask(next));
            yield rows;
        }
    }
    return {
        pages,
        async *[Symbol.asyncIterator]() {
            for await (const rows of pages())
                yield* rows;
        },
    };
}
/** What the next page comes after: of the link the cursor alone, so that a credential goes nowhere else. */
export function nextOf({ headers }) {
    const link = /<([^>]*)>; *rel="next"/.exec(headers.get('link') ?? '')?.[1];
    return link === undefined ? null : new URL(link, 'http://rail').searchParams.get('after');
}
