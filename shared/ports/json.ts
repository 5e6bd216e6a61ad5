/** Any JSON value; records, queue messages and metadata consist of it. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

export type JsonObject = { [name: string]: Json };

export type Scalar = string | number | boolean;
