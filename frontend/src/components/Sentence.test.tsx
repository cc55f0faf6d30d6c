import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { Sentence } from "./Sentence";

test.each([
  ["Nothing to name.", "Nothing to name."],
  ["Start again without `after`.", "Start again without <code>after</code>."],
  ["Either `ids` or `filter`", "Either <code>ids</code> or <code>filter</code>"],
  ["A title that is `<b>`", "A title that is <code>&lt;b&gt;</code>"],
  ["One ` alone", "One ` alone"],
])("%s", (text, html) => {
  expect(render(<Sentence text={text} />).container.innerHTML).toBe(html);
});
