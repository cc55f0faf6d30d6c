import { describe, expect, it } from "vitest";
import { authorization, readToken, saveToken, takeTokenFromAddress } from "./token";

describe("the token", () => {
  it("moves from the address' fragment into session storage", () => {
    window.history.replaceState(null, "", "/p/work/c/1?q=x#token=abc123");
    takeTokenFromAddress();
    expect(readToken()).toBe("abc123");
    expect(window.location.href).toBe("http://localhost:3000/p/work/c/1?q=x");
  });

  it("leaves the rest of the fragment", () => {
    window.history.replaceState(null, "", "/#token=abc&place=3");
    takeTokenFromAddress();
    expect(window.location.hash).toBe("#place=3");
  });

  it("is not touched by an address without one", () => {
    saveToken("kept");
    window.history.replaceState(null, "", "/?token=no");
    takeTokenFromAddress();
    expect(readToken()).toBe("kept");
  });

  it("travels as a bearer header, and not at all when there is none", () => {
    expect(authorization()).toEqual({});
    saveToken("  padded \n");
    expect(authorization()).toEqual({ authorization: "Bearer padded" });
  });
});
