//! The tests of `tests/wasm` once more, in a browser: where a test program runs is fixed when it is built.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);

#[path = "wasm/main.rs"]
pub mod bindings;
