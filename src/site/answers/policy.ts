import helmet from 'helmet';

/** This host's own style sheet, script, pictures and forms, and nothing in the page itself. */
const policyOf = (connectSrc: "'self'" | "'none'") =>
  helmet({
    // Without a referrer, browsers hide the origin of a form from its own host too.
    referrerPolicy: { policy: 'same-origin' },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        scriptSrc: ["'self'"],
        connectSrc: [connectSrc],
        imgSrc: ["'self'", 'data:'],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
  });

/** Pictures that other pages embed: any host may show them, and they load nothing. */
export const secureEmbedded = helmet({
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } },
});

/** Policy for pages in a browser. */
export const secure = policyOf("'self'");
/** The same for pages that ask nobody for anything once they are open. */
export const secureAlone = policyOf("'none'");
