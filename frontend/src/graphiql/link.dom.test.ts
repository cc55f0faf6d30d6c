import { describe, expect, it } from "vitest";
import { takeLinkFromAddress } from "./link";

const visit = (address: string) => {
  window.history.replaceState(null, "", address);
  return takeLinkFromAddress();
};

describe("a link to GraphiQL", () => {
  it("brings a query with its variables, and the profile to ask", () => {
    const fragment = new URLSearchParams({ query: "query Q($n: Int) {\n  a(b: $n) # c & d\n}", variables: '{"n": 1}' });
    expect(visit(`/graphiql?profile=work#${fragment}`)).toEqual({
      profile: "work",
      tab: { query: "query Q($n: Int) {\n  a(b: $n) # c & d\n}", variables: '{"n": 1}' },
    });
  });

  it("may do without variables and profile", () => {
    expect(visit("/graphiql#query=%7B%20server%20%7B%20version%20%7D%20%7D")).toEqual({
      profile: null,
      tab: { query: "{ server { version } }", variables: "" },
    });
  });

  it("leaves the profile alone in the address", () => {
    visit("/graphiql?profile=work#query=%7Ba%7D");
    expect(window.location.href).toBe("http://localhost:3000/graphiql?profile=work");
  });

  it("opens no tab where it brings no query, and reads none outside of the fragment", () => {
    expect(visit("/graphiql?query=%7Ba%7D").tab).toBeNull();
  });
});
