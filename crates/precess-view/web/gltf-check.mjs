// Asks the validator of Khronos about glTF files; see tools/gltf-check.
import { readFileSync } from "node:fs";
import validator from "gltf-validator";
let bad = 0;
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)));
  const { numErrors, numWarnings, numInfos, messages } = report.issues;
  console.log(`${file.split("/").pop()}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, ${readFileSync(file).length} bytes`);
  if (numErrors + numWarnings) { bad = 1; console.log(messages.slice(0, 5)); }
}
process.exit(bad);
