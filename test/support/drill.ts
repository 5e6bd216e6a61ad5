/**
 * The size of a drill: small in `npm test`, which tests each property, and full in `npm run test:drills`, which repeats it often
 * enough to meet rare cases.
 */
export const sized = <Size>(small: Size, full: Size): Size => (process.env.DRILLS === "full" ? full : small);
