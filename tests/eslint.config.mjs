// The rules for the studio's scripts. `make scripts` runs them.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/lit-html.js"] },
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      complexity: ["error", 22],
      "max-len": ["error", { code: 120, ignoreTemplateLiterals: true }],
      "no-var": "error",
      "prefer-const": "error",
      eqeqeq: "error",
    },
  },
];
