import { type FieldProblem, invalid } from "../../shared/kernel/errors.ts";
import { ExpressionError, type Place, parseExpression } from "./expressions.ts";

/** An expression of a request with its position and its allowed variables. */
export interface GivenExpression {
  field: string;
  text: string;
  place: Place;
}

/** Throws a VALIDATION_ERROR that names each invalid expression. */
export async function refuseUnfit(expressions: GivenExpression[]): Promise<void> {
  const problems = await Promise.all(expressions.map(problemOf));
  const found = problems.flatMap((problem) => problem ?? []);
  if (found.length > 0) throw invalid(...found);
}

async function problemOf({ field, text, place }: GivenExpression): Promise<FieldProblem | undefined> {
  try {
    await parseExpression(text, place);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return { field, problem: error.message };
    throw error;
  }
}
